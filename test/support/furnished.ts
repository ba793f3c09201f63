import { randomBytes, randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { calls } from '../../src/db/tables/calls.ts';
import { sessions } from '../../src/db/tables/sessions.ts';
import { turns } from '../../src/db/tables/turns.ts';
import { webhookEndpointSwitches } from '../../src/db/tables/webhook-endpoint-switches.ts';
import { idAt, triggeredGraph, type Asked } from './api-on-services.ts';
import { insertCalls } from './call-rows.ts';
import { insertCampaign, insertDirectory } from './campaign-rows.ts';
import { createTestContext } from './database.ts';
import { insertedId } from './inserted-id.ts';
import { insertDelivery } from './delivery-rows.ts';
import { insertDirectoryRow } from './directories.ts';
import { insertLineRecording } from './line-recordings.ts';
import { insertOpenHost } from './media/open-host.ts';
import { ownerOf } from './people.ts';
import type { Slots } from './route-requests.ts';
import { insertConnection } from './telephony.ts';
import { insertTurn } from './turn-rows.ts';

/** Slots with the same meaning in every organization. */
export const sharedSlots: Slots = {
  name: 'qa',
  row: '1',
  version_number: '1',
  artifact: 'transcript',
  provider: 'openai',
  file: 'initialize.js',
};

export interface FurnishOptions {
  db: DataSource;
  organizationId: number;
  /** A mark in every text of the organization. */
  mark: string;
  /** A request as the organization; `path` begins after /api/v1. */
  ask: (method: string, path: string, body?: unknown) => Promise<Asked>;
  /** The address of its own language model. */
  modelUrl?: string;
  modelName?: string;
}

/**
 * Gives an organization one of every object that a request can name, and a media host for calls; answers a
 * value for every slot.
 */
export async function furnish({
  db,
  organizationId,
  mark,
  ask,
  modelUrl = 'http://127.0.0.1:9/v1',
  modelName = `${mark}-model`,
}: FurnishOptions): Promise<Slots> {
  const ctx = { ...(await createTestContext(db)), organizationId };
  const credential = await ask('POST', '/credentials/', {
    name: `${mark} CRM`,
    credential_type: 'bearer_token',
    credential_data: { token: `${mark}-credential` },
  });
  const tool = await ask('POST', '/tools/', {
    name: `${mark} tool`,
    definition: {
      schema_version: 1,
      type: 'http_api',
      config: {
        method: 'GET',
        url: `https://127.0.0.1:9/${mark}`,
        credential_uuid: idAt(credential.body, 'uuid'),
      },
    },
  });
  const folder = await ask('POST', '/folder/', { name: `${mark} folder` });
  const triggerPath = `${mark}-trigger`;
  const agent = await ask('POST', '/workflow/create/definition', {
    name: `${mark} agent`,
    workflow_definition: triggeredGraph(triggerPath),
  });
  const agentId = idAt(agent.body, 'id');
  await ask('PUT', `/workflow/${agentId}`, { template_context_variables: { first_name: mark } });
  await ask('PUT', '/organizations/model-configurations/v2', {
    mode: 'byok',
    byok: {
      mode: 'pipeline',
      pipeline: {
        llm: {
          provider: 'openai_compatible',
          model: modelName,
          api_key: `simulated-${mark}-model-key-1234`,
          base_url: modelUrl,
        },
      },
    },
  });
  const session = await ask('POST', `/workflow/${agentId}/text-chat/sessions`, {
    name: `${mark} session`,
    initial_context: { first_name: mark },
  });
  const runId = idAt(session.body, 'workflow_run_id');
  const saidSoFar = await db.getRepository(turns).findOneBy({ callId: Number(runId), organizationId });
  if (saidSoFar === null) await insertTurn(ctx, Number(runId), `${mark} said`);
  const ahead = await ask('POST', `/workflow/${agentId}/runs`, { mode: 'telnyx', name: `${mark} ahead` });
  const key = await ask('POST', '/user/api-keys', { name: `${mark} key` });
  const secrets = await ask('GET', '/organizations/webhook-secrets');
  const delivery = await insertDelivery(
    ctx,
    { callId: Number(runId), agentId: Number(agentId) },
    { url: `https://127.0.0.1:9/${mark}` },
  );
  const endpointKey = randomBytes(16).toString('hex');
  await db.getRepository(webhookEndpointSwitches).insert({
    organizationId,
    endpointKey,
    agentId: delivery.agentId,
    nodeId: delivery.nodeId,
    url: delivery.url,
    deliveryId: delivery.id,
    switchedOffAt: new Date(),
    turnedOnAt: null,
  });
  const { configurationId, numberIds } = await insertConnection(db, organizationId, { name: `${mark} line` });
  await insertOpenHost(db);
  await insertLineRecording(db, organizationId, { recordingId: `${mark}-line`, agentId: Number(agentId) });
  const suppressed = await ask('POST', '/suppressions', {
    phone_numbers: ['12025550166'],
    reason: `${mark} asked`,
  });
  const directory = await insertDirectory(db, organizationId, { name: `${mark} contacts` });
  const [callOfRow] = await insertCalls(
    db,
    {
      organizationId,
      agentId: Number(agentId),
      versionId: Number(idAt(agent.body, 'current_definition_id')),
    },
    { name: `${mark} call`, initialContext: { first_name: mark } },
  );
  const campaign = await insertCampaign(db, directory, {
    agentId: Number(agentId),
    name: `${mark} campaign`,
    state: 'running',
    targets: [{ rowNumber: 1, state: 'processed', callId: callOfRow ?? null }],
  });
  const log = await ask('GET', '/organizations/audit-log?limit=1');
  const token = randomUUID();
  await db
    .getRepository(calls)
    .update({ id: Number(runId), organizationId }, { publicToken: token, transcriptAvailable: true });
  const owner = await ownerOf(db, organizationId);
  const signedIn = await insertedId(
    db.getRepository(sessions).insert({
      uuid: randomUUID(),
      organizationId,
      userId: owner.id,
      tokenHash: randomBytes(32).toString('hex'),
      createdAt: new Date(),
      expiresAt: new Date(Date.now() + 86_400_000),
      lastUsedAt: new Date(),
      userAgent: `${mark} browser`,
      revokedAt: null,
    }),
  );
  const turn = await db.getRepository(turns).findOneByOrFail({ callId: Number(runId), organizationId });
  const invitation = await ask('POST', '/organizations/invitations', {
    email: `${mark}@invited.example.com`,
    role: 'operator',
  });
  return {
    ...sharedSlots,
    campaign_id: String(campaign.id),
    file_key: directory.fileKey,
    workflow_id: agentId,
    workflow_uuid: idAt(agent.body, 'workflow_uuid'),
    trigger_path: triggerPath,
    folder_id: idAt(folder.body, 'id'),
    run_id: runId,
    ahead_run_id: idAt(ahead.body, 'id'),
    turn_uuid: turn.uuid,
    credential_uuid: idAt(credential.body, 'uuid'),
    tool_uuid: idAt(tool.body, 'tool_uuid'),
    document_uuid: randomUUID(), // no document can be added yet
    api_key_id: idAt(key.body, 'id'),
    session_id: String(signedIn),
    organization_id: String(organizationId),
    user_id: String(owner.id),
    invitation_id: idAt(invitation.body, 'id'),
    secret_id: idAt(secrets.body, 0, 'id'),
    delivery_uuid: delivery.uuid,
    endpoint_id: endpointKey,
    node_id: delivery.nodeId,
    entry_id: idAt(log.body, 'items', 0, 'id'),
    telephony_configuration_id: String(configurationId),
    from_phone_number_id: String(numberIds[0]),
    phone_number_id: String(numberIds[0]),
    directory_id: String(
      await insertDirectoryRow(db, organizationId, { name: `${mark} list`, fileName: `${mark}.csv` }),
    ),
    recording_id: `${mark}-line`,
    suppression_id: idAt(suppressed.body, 'suppressions', 0, 'id'),
    recording_key: `line_recordings/${organizationId}/${mark}-new.wav`,
    token,
    ticket: 'no-ticket',
  };
}

/** An unknown value in the form of the given one. */
export function unknownLike(value: string): string {
  if (/^\d+$/.test(value)) return '799999999';
  if (/^[0-9a-f]{32}$/.test(value)) return randomBytes(16).toString('hex');
  return /^[0-9a-f-]{36}$/.test(value) ? randomUUID() : 'nobody-has-this';
}

/** Starts the ids of every table at a different number, so that a misplaced id is noticed. */
export async function spreadIds(db: DataSource): Promise<void> {
  const tables: { t: string }[] = await db.query(
    'SELECT table_name AS t FROM information_schema.tables WHERE table_schema = DATABASE() AND auto_increment IS NOT NULL ORDER BY table_name',
  );
  if (tables.length < 15) throw new Error(`only ${tables.length} tables have ids of their own`);
  for (const [index, { t }] of tables.entries())
    await db.query(`ALTER TABLE \`${t}\` AUTO_INCREMENT = ${300_000_000 + index * 1_000_000}`);
}

/** Everything that belongs to an organization, row by row. */
export async function rowsOf(db: DataSource, organizationId: number): Promise<string> {
  const tables: { t: string }[] = await db.query(
    "SELECT table_name AS t FROM information_schema.columns WHERE table_schema = DATABASE() AND column_name = 'organization_id' ORDER BY table_name",
  );
  if (tables.length < 20) throw new Error(`only ${tables.length} tables belong to organizations`);
  const rows: unknown[] = [await db.query('SELECT * FROM organizations WHERE id = ?', [organizationId])];
  for (const { t } of tables)
    rows.push(
      t,
      await db.query(`SELECT * FROM \`${t}\` WHERE organization_id = ? ORDER BY 1`, [organizationId]),
    );
  return JSON.stringify(rows);
}
