import { createHash, randomUUID } from 'node:crypto';
import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';

/**
 * The statements that the API sends to MySQL, and nothing else: no schema checks a request, no graph is
 * validated, nothing is masked. The baseline for the cost of the service above the database; the report
 * counts the statements of both.
 */
type Querying = Pick<Pool | PoolConnection, 'query'>;

export interface BareCaller {
  apiKeyId: number;
  organizationId: number;
}

export interface BareDefinition {
  nodes: { type: string; data: Record<string, unknown> }[];
  edges: unknown[];
}

const agentColumns =
  'id, uuid, organization_id, name, state, folder_id, disposition_codes, published_version_id, draft_version_id, last_version_number, created_at, updated_at';
const versionColumns =
  'id, organization_id, agent_id, number, state, definition, settings, test_values, definition_sha256, created_at, published_at';

const known = new Map<string, { caller: BareCaller; at: number }>();

/**
 * The caller of a key, as the service looks it up: at most once a second. Undefined for an unknown, archived or
 * expired key.
 */
export async function callerOf(db: Querying, key: string): Promise<BareCaller | undefined> {
  const hash = createHash('sha256').update(key).digest('hex');
  const found = known.get(hash);
  if (found !== undefined && Date.now() - found.at < 1000) return found.caller;
  const row = await one(
    db,
    'SELECT id, organization_id, user_id, name, prefix, key_hash, scopes, created_at, expires_at, rotated_from_id, last_used_at, archived_at FROM api_keys WHERE key_hash = ? LIMIT 1',
    [hash],
  );
  if (row === undefined) return undefined;
  const caller = { apiKeyId: row['id'], organizationId: row['organization_id'] };
  known.set(hash, { caller, at: Date.now() });
  return caller;
}

/** GET of one agent. */
export async function readAgent(
  db: Querying,
  { organizationId }: BareCaller,
  agentId: number,
): Promise<object | undefined> {
  const named = (as: string, columns: string) =>
    columns
      .split(', ')
      .map((name) => `${as}.${name} AS ${as}_${name}`)
      .join(', ');
  const row = await one(
    db,
    `SELECT ${named('agent', agentColumns)}, ${named('version', versionColumns)},
        (SELECT COUNT(*) FROM calls WHERE organization_id = agent.organization_id AND agent_id = agent.id) AS calls
      FROM agents agent
      JOIN agent_versions version ON version.id = COALESCE(agent.draft_version_id, agent.published_version_id)
        AND version.organization_id = agent.organization_id
      WHERE agent.id = ? AND agent.organization_id = ?`,
    [agentId, organizationId],
  );
  if (row === undefined) return undefined;
  const part = (as: string): RowDataPacket => {
    const own: RowDataPacket = Object.create(null);
    for (const [name, value] of Object.entries(row))
      if (name.startsWith(`${as}_`)) own[name.slice(as.length + 1)] = value;
    return own;
  };
  return shown(part('agent'), parsed(part('version')), row['calls']);
}

/** PUT of a definition: the next version, in one transaction. */
export async function saveDefinition(
  db: Pool,
  caller: BareCaller,
  agentId: number,
  definition: BareDefinition,
): Promise<object | undefined> {
  return await inTransaction(db, async (tx) => {
    const agent = await one(
      tx,
      `SELECT ${agentColumns} FROM agents WHERE id = ? AND organization_id = ? LIMIT 1 FOR UPDATE`,
      [agentId, caller.organizationId],
    );
    if (agent === undefined) return undefined;
    await versionOf(tx, agent, agent['draft_version_id'] ?? agent['published_version_id']);
    if (agent['draft_version_id'] !== null)
      await tx.query('UPDATE agent_versions SET state = ? WHERE id = ? AND organization_id = ?', [
        'archived',
        agent['draft_version_id'],
        caller.organizationId,
      ]);
    const number = agent['last_version_number'] + 1;
    const version = await insertVersion(tx, agent, { number, state: 'draft', definition });
    await tx.query(
      'UPDATE agents SET last_version_number = ?, draft_version_id = ?, updated_at = ? WHERE id = ? AND organization_id = ?',
      [number, version['id'], new Date(), agent['id'], caller.organizationId],
    );
    await appendAudit(tx, caller, {
      action: 'agent.updated',
      kind: 'agent',
      id: agent['id'],
      changes: { version: number, fields: ['definition'] },
    });
    return shown(agent, version, await callCount(tx, agent));
  });
}

/** POST of create/definition: an agent and its published version 1. */
export async function createAgent(
  db: Pool,
  caller: BareCaller,
  name: string,
  given: BareDefinition,
): Promise<object> {
  const definition = {
    ...given,
    nodes: given.nodes.map((node) =>
      node.type === 'trigger' ? { ...node, data: { ...node.data, trigger_path: randomUUID() } } : node,
    ),
  };
  return await inTransaction(db, async (tx) => {
    await tx.query(
      `SELECT path, organization_id, agent_id, created_at FROM trigger_paths WHERE path IN (?)`,
      [pathsOf(definition)],
    );
    const now = new Date();
    const id = await insert(tx, 'agents', {
      uuid: randomUUID(),
      organization_id: caller.organizationId,
      name,
      state: 'active',
      folder_id: null,
      disposition_codes: '[]',
      published_version_id: null,
      draft_version_id: null,
      last_version_number: 0,
      created_at: now,
      updated_at: now,
    });
    const agent = { id, organization_id: caller.organizationId, name };
    const version = await insertVersion(tx, agent, { number: 1, state: 'published', definition });
    await tx.query(
      'UPDATE agents SET last_version_number = ?, published_version_id = ?, draft_version_id = ?, updated_at = ? WHERE id = ? AND organization_id = ?',
      [1, version['id'], null, now, id, caller.organizationId],
    );
    await tx.query('INSERT INTO trigger_paths (path, organization_id, agent_id, created_at) VALUES ?', [
      pathsOf(definition).map((path) => [path, caller.organizationId, id, now]),
    ]);
    await appendAudit(tx, caller, { action: 'agent.created', kind: 'agent', id, changes: { version: 1 } });
    return shown(agent, version, 0);
  });
}

/** POST of a trigger with a carrier that hangs up at once. */
export async function triggerCall(
  db: Pool,
  caller: BareCaller,
  path: string,
  body: { phone_number: string; initial_context?: object },
): Promise<object | undefined> {
  const begun = await inTransaction(db, async (tx) => {
    const trigger = await one(
      tx,
      'SELECT path, organization_id, agent_id, created_at FROM trigger_paths WHERE path = ? LIMIT 1',
      [path],
    );
    const agent =
      trigger === undefined
        ? undefined
        : await one(tx, `SELECT ${agentColumns} FROM agents WHERE id = ? AND organization_id = ? LIMIT 1`, [
            trigger['agent_id'],
            caller.organizationId,
          ]);
    if (agent === undefined) return undefined;
    const version = await versionOf(tx, agent, agent['published_version_id']);
    const configuration = await one(
      tx,
      'SELECT id, organization_id, name, provider, connectivity, is_default_outbound, credentials_encrypted, inactive_since, inactive_reason, created_at, updated_at FROM telephony_configurations WHERE organization_id = ? ORDER BY id',
      [caller.organizationId],
    );
    await tx.query(
      'SELECT id, configuration_id, address_normalized, is_default_caller_id FROM phone_numbers WHERE organization_id = ? AND is_active = ? ORDER BY id',
      [caller.organizationId, true],
    );
    await one(
      tx,
      'SELECT organization_id, policy, stopped_at, stopped_by_user_id, operator_stopped_at, pace_tokens, pace_at, updated_at FROM dial_policies WHERE organization_id = ? LIMIT 1',
      [caller.organizationId],
    );
    await tx.query('SELECT phone FROM suppressions WHERE organization_id = ? AND phone IN (?)', [
      caller.organizationId,
      [body.phone_number.slice(1)],
    ]);
    await one(
      tx,
      'SELECT organization_id, test_phone_number, timezone, external_pbx_enabled, updated_at FROM organization_preferences WHERE organization_id = ? LIMIT 1',
      [caller.organizationId],
    );
    await one(
      tx,
      'SELECT organization_id, day, dials, talked_seconds, model_requests FROM organization_days WHERE organization_id = ? AND day = ? LIMIT 1',
      [caller.organizationId, new Date().toISOString().slice(0, 10)],
    );
    await tx.query('SELECT id, uuid, name, created_at FROM organizations WHERE id = ? LIMIT 1 FOR UPDATE', [
      caller.organizationId,
    ]);
    await tx.query(
      'SELECT COUNT(1) FROM calls WHERE organization_id = ? AND channel IN (?) AND state IN (?)',
      [caller.organizationId, ['phone', 'web'], ['pending', 'admitted', 'talking', 'ending']],
    );
    const name = `WR-API-${Math.floor(Math.random() * 1e6)}`;
    const context = {
      ...body.initial_context,
      phone_number: body.phone_number,
      telephony_configuration_id: configuration?.['id'],
      direction: 'outbound',
    };
    const id = await insert(tx, 'calls', freshCall(caller, { agent, version, name, context }));
    await appendAudit(tx, caller, {
      action: 'call.triggered',
      kind: 'call',
      id,
      changes: {
        agentId: agent['id'],
        version: version['number'],
        configurationId: configuration?.['id'],
        isTest: false,
      },
    });
    return { id, name };
  });
  if (begun === undefined) return undefined;
  await db.query('UPDATE calls SET state = ? WHERE id = ? AND organization_id = ?', [
    'ended',
    begun.id,
    caller.organizationId,
  ]);
  return { status: 'initiated', workflow_run_id: begun.id, workflow_run_name: begun.name };
}

function freshCall(
  { organizationId }: BareCaller,
  {
    agent,
    version,
    name,
    context,
  }: { agent: RowDataPacket; version: RowDataPacket; name: string; context: object },
): Record<string, unknown> {
  return {
    uuid: randomUUID(),
    organization_id: organizationId,
    agent_id: agent['id'],
    version_id: version['id'],
    name,
    mode: 'telnyx',
    channel: 'phone',
    direction: 'outbound',
    source: 'api_prod',
    state: 'pending',
    is_test: false,
    initial_context: JSON.stringify(context),
    gathered_context: '{}',
    usage_info: '{}',
    logs: '{}',
    annotations: '{}',
    disposition: null,
    tags: '[]',
    public_token: null,
    transcript_available: false,
    created_at: new Date(),
    started_at: null,
    ended_at: null,
    cost_usd: null,
    transcript_erased_at: null,
    variables_erased_at: null,
  };
}

async function one(db: Querying, sql: string, values: unknown[]): Promise<RowDataPacket | undefined> {
  const [rows] = await db.query<RowDataPacket[]>(sql, values);
  return rows[0];
}

async function versionOf(
  db: Querying,
  agent: object & { id?: number; organization_id?: number },
  id: number,
): Promise<RowDataPacket> {
  const version = await one(
    db,
    `SELECT ${versionColumns} FROM agent_versions WHERE id = ? AND agent_id = ? AND organization_id = ? LIMIT 1`,
    [id, agent.id, agent.organization_id],
  );
  if (version === undefined) throw new Error('The prepared rows are incomplete');
  return parsed(version);
}

function parsed(version: RowDataPacket): RowDataPacket {
  for (const name of ['definition', 'settings', 'test_values']) version[name] = JSON.parse(version[name]);
  return version;
}

async function callCount(
  db: Querying,
  agent: object & { id?: number; organization_id?: number },
): Promise<number> {
  const row = await one(
    db,
    'SELECT COUNT(*) AS count FROM calls WHERE organization_id = ? AND agent_id = ?',
    [agent.organization_id, agent.id],
  );
  return row?.['count'] ?? 0;
}

async function insertVersion(
  tx: Querying,
  agent: object & { id?: number; organization_id?: number },
  { number, state, definition }: { number: number; state: string; definition: BareDefinition },
) {
  const text = JSON.stringify(definition);
  const now = new Date();
  const row = {
    organization_id: agent.organization_id,
    agent_id: agent.id,
    number,
    state,
    definition: text,
    settings: '{}',
    test_values: '{}',
    definition_sha256: createHash('sha256').update(text).digest('hex'),
    created_at: now,
    published_at: state === 'published' ? now : null,
  };
  return { ...row, id: await insert(tx, 'agent_versions', row), definition, settings: {}, test_values: {} };
}

async function appendAudit(
  tx: Querying,
  { apiKeyId, organizationId }: BareCaller,
  { action, kind, id, changes }: { action: string; kind: string; id: number; changes: object },
): Promise<void> {
  await insert(tx, 'audit_events', {
    uuid: randomUUID(),
    organization_id: organizationId,
    actor_kind: 'api_key',
    actor_id: apiKeyId,
    actor_name: null,
    action,
    subject_kind: kind,
    subject_id: id,
    subject_key: String(id),
    changes: JSON.stringify(changes),
    diff: null,
    request_id: randomUUID(),
    created_at: new Date(),
  });
}

async function insert(tx: Querying, table: string, row: Record<string, unknown>): Promise<number> {
  const [result] = await tx.query<ResultSetHeader>(
    `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (?)`,
    [Object.values(row)],
  );
  return result.insertId;
}

async function inTransaction<T>(db: Pool, work: (tx: PoolConnection) => Promise<T>): Promise<T> {
  const tx = await db.getConnection();
  try {
    await tx.beginTransaction();
    const result = await work(tx);
    await tx.commit();
    return result;
  } catch (error) {
    await tx.rollback();
    throw error;
  } finally {
    tx.release();
  }
}

function pathsOf({ nodes }: BareDefinition): unknown[] {
  return nodes.filter(({ type }) => type === 'trigger').map(({ data }) => data['trigger_path']);
}

function shown(
  agent: object & {
    id?: number;
    uuid?: string;
    name?: string;
    state?: string;
    created_at?: Date;
    published_version_id?: number;
    disposition_codes?: unknown;
  },
  version: object & {
    number?: number;
    state?: string;
    definition?: unknown;
    settings?: unknown;
    test_values?: unknown;
  },
  calls: number,
): object {
  return {
    id: agent.id,
    name: agent.name,
    status: agent.state,
    created_at: agent.created_at,
    workflow_definition: version.definition,
    current_definition_id: agent.published_version_id,
    template_context_variables: version.test_values,
    call_disposition_codes: {
      disposition_codes:
        typeof agent.disposition_codes === 'string' ? JSON.parse(agent.disposition_codes) : [],
    },
    total_runs: calls,
    workflow_configurations: version.settings,
    version_number: version.number,
    version_status: version.state,
    workflow_uuid: agent.uuid,
  };
}
