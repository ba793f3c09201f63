import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { agents } from '../../../src/db/tables/agents.ts';
import { auditEvents } from '../../../src/db/tables/audit-events.ts';
import { calls } from '../../../src/db/tables/calls.ts';
import { deliveries } from '../../../src/db/tables/deliveries.ts';
import { deliveryAttempts } from '../../../src/db/tables/delivery-attempts.ts';
import { webhookEndpointSwitches } from '../../../src/db/tables/webhook-endpoint-switches.ts';
import { createGuardedClient, type GuardedClient } from '../../../src/providers/http/guarded-client.ts';
import { signWebhook } from '../../../src/providers/http/webhook-signer.ts';
import { prepareDeliveries, previewWebhook } from '../../../src/services/calls/index.ts';
import { addWebhookSecret, createCredential } from '../../../src/services/identity/index.ts';
import type { ServiceContext } from '../../../src/services/kernel/context.ts';
import { definitionPlace, sealerOf } from '../../../src/services/kernel/sealed-text.ts';
import { listEndpoints, testEndpoint } from '../../../src/services/webhooks/index.ts';
import { endpointKeyOf } from '../../../src/services/webhooks/deliveries/endpoint.ts';
import { conversationDeps } from '../../support/admitted-call.ts';
import {
  bothDatabases,
  createTestClock,
  createTestContext,
  createTestDatabase,
  testSecrets,
  type TestClock,
  type TestDatabase,
} from '../../support/database.ts';
import { node } from '../../support/definitions.ts';
import { insertDelivery, insertEndedCall } from '../../support/delivery-rows.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { recordQueries } from '../../support/recorded-queries.ts';

/** A row of EXPLAIN. */
interface Plan {
  table: string | null;
  key: string | null;
  Extra: string | null;
}

const hook = (data: Record<string, unknown>) =>
  node('hook', 'webhook', {
    name: 'CRM',
    endpoint_url: 'https://hooks.example.com/in?key=secret',
    payload_template: { run: '{{workflow_run_id}}', said: '{{gathered_context.day}}' },
    ...data,
  });

describe.each(bothDatabases)('webhook endpoints on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let clock: TestClock;
  let receiver: Receiver;
  let http: GuardedClient;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    receiver = await startReceiver();
    http = createGuardedClient({ allowHttp: true, allowedPrivateHosts: [receiver.host] });
  });
  afterAll(async () => {
    await http.close();
    await receiver.close();
    await database.drop();
  });
  beforeEach(async () => {
    clock = createTestClock('2026-11-21T12:00:00.000Z');
    ctx = await createTestContext(database.db, { clock });
  });

  const list = async () => await listEndpoints({ ctx, input: { state: null } });
  const probe = async (endpointKey: string) =>
    await testEndpoint({
      ctx,
      deps: { http, secrets: testSecrets, sign: signWebhook },
      input: { endpointKey },
    });

  /** An ended call of an agent whose published version has that webhook. */
  const published = async (data: Record<string, unknown> = {}) => {
    const call = await insertEndedCall(ctx, { nodes: [hook(data)], edges: [] });
    const { versionId } = await database.db.getRepository(calls).findOneByOrFail({ id: call.callId });
    await database.db
      .getRepository(agents)
      .update({ id: call.agentId }, { name: 'Reminder', publishedVersionId: versionId });
    return { ...call, versionId };
  };
  /** A delivery of a further call with attempts at those seconds after 10:00, in those states. */
  const delivered = async (
    { agentId }: { agentId: number },
    state: 'pending' | 'succeeded' | 'dead_letter',
    attempts: [second: number, state: 'started' | 'succeeded' | 'failed', durationMs: number | null][],
    changes: object = {},
  ) => {
    const { callId } = await insertEndedCall(ctx);
    const row = await insertDelivery(
      ctx,
      { callId, agentId },
      { nodeId: 'hook', url: 'https://hooks.example.com/in?key=secret', state, ...changes },
    );
    if (attempts.length > 0)
      await database.db.getRepository(deliveryAttempts).insert(
        attempts.map(([second, attemptState, durationMs], index) => ({
          organizationId: ctx.organizationId,
          deliveryId: row.id,
          number: index + 1,
          state: attemptState,
          startedAt: new Date(Date.UTC(2026, 10, 21, 10, 0, second)),
          durationMs,
          statusCode: durationMs === null ? null : attemptState === 'succeeded' ? 200 : 503,
          error: null,
          responseExcerpt: null,
        })),
      );
    return row;
  };

  /** 5000 delivered deliveries of as many calls. */
  const insertMany = async ({ agentId, versionId }: { agentId: number; versionId: number }) => {
    const digits = (name: string) =>
      `(SELECT 0 n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9) ${name}`;
    const query = async (sql: string, values: unknown[] = []) => await database.db.query(sql, values);
    await query(
      `INSERT INTO calls (uuid, organization_id, agent_id, version_id, name, mode, channel, direction, source, state, is_test, initial_context, gathered_context, usage_info, logs, annotations, disposition, tags, transcript_available, created_at, started_at, ended_at)
       SELECT UUID(), ?, ?, ?, 'WR-TEXT-0A1B2C', 'textchat', 'text', 'inbound', 'editor', 'ended', 1, '{}', '{}', '{}', '{}', '{}', 'user_hangup', '[]', 0, '2026-11-21 10:00:00', '2026-11-21 10:00:00', '2026-11-21 10:00:00'
       FROM ${digits('a')}, ${digits('b')}, ${digits('c')}, ${digits('d')} WHERE d.n < 5`,
      [ctx.organizationId, agentId, versionId],
    );
    await query(
      `INSERT INTO deliveries (uuid, organization_id, call_id, agent_id, node_id, state, method, url, headers, attempt_count, created_at)
       SELECT UUID(), organization_id, id, agent_id, 'hook', 'succeeded', 'POST', 'https://hooks.example.com/in?key=secret', '[]', 1, created_at
       FROM calls WHERE organization_id = ? AND name = 'WR-TEXT-0A1B2C'`,
      [ctx.organizationId],
    );
    await query('ANALYZE TABLE deliveries');
  };

  test('an endpoint of a published version is listed before anything was sent, without the query of its URL', async () => {
    const { agentId } = await published();
    await published({ enabled: false });
    expect(await list()).toEqual([
      {
        id: endpointKeyOf({
          organizationId: ctx.organizationId,
          agentId,
          nodeId: 'hook',
          url: 'https://hooks.example.com/in?key=secret',
        }),
        workflow_id: agentId,
        workflow_name: 'Reminder',
        node_id: 'hook',
        node_name: 'CRM',
        address: 'hooks.example.com/in',
        is_published: true,
        state: 'unused',
        failing_since: null,
        switched_off_at: null,
        delivery_id: null,
        waiting: 0,
        next_attempt_at: null,
        last_attempt_at: null,
        median_answer_ms: null,
        attempts: [],
      },
    ]);
  });

  test('attempts are in the order in which they began, and a failed one was retried if its delivery arrived', async () => {
    const agent = await published();
    await delivered(agent, 'succeeded', [
      [1, 'failed', 40],
      [30, 'succeeded', 200],
    ]);
    await delivered(agent, 'dead_letter', [[10, 'failed', 90]]);
    expect(await list()).toMatchObject([
      {
        state: 'healthy',
        last_attempt_at: '2026-11-21T10:00:30.000000Z',
        median_answer_ms: 90,
        attempts: [
          { at: '2026-11-21T10:00:01.000000Z', result: 'retried' },
          { at: '2026-11-21T10:00:10.000000Z', result: 'failed' },
          { at: '2026-11-21T10:00:30.000000Z', result: 'ok' },
        ],
      },
    ]);
    const nextAt = (second: number) => ({ nextAttemptAt: new Date(Date.UTC(2026, 10, 21, 10, 5, second)) });
    await delivered(agent, 'pending', [
      [40, 'failed', null],
      [50, 'started', null],
    ]);
    expect(await list()).toMatchObject([{ waiting: 1, next_attempt_at: null }]);
    for (const second of [30, 10]) await delivered(agent, 'pending', [], nextAt(second));
    expect(await list()).toMatchObject([
      {
        state: 'failing',
        failing_since: '2026-11-21T10:00:40.000000Z',
        waiting: 3,
        next_attempt_at: '2026-11-21T10:05:10.000000Z',
      },
    ]);
  });

  test('only the last hundred attempts are shown', async () => {
    const agent = await published();
    for (const first of [0, 40])
      await delivered(
        agent,
        'succeeded',
        Array.from({ length: 80 }, (_, index) => [first + index, 'succeeded', 10] as const).map((each) => [
          ...each,
        ]),
      );
    const [endpoint] = await list();
    expect(endpoint?.attempts).toHaveLength(100);
    expect(endpoint?.attempts.at(-1)).toEqual({ at: '2026-11-21T10:01:59.000000Z', result: 'ok' });
  });

  test('a former address stays for 30 days after its last delivery', async () => {
    const agent = await published();
    await delivered(agent, 'succeeded', [[1, 'succeeded', 10]], { url: 'https://old.example.com/' });
    expect(await list()).toMatchObject([
      { address: 'hooks.example.com/in', is_published: true },
      { address: 'old.example.com', is_published: false, node_name: 'CRM', workflow_name: 'Reminder' },
    ]);
    clock.advance(31 * 86_400_000);
    expect(await list()).toMatchObject([{ address: 'hooks.example.com/in', state: 'unused' }]);
  });

  test('an endpoint that is off shows what turning it on would send', async () => {
    const agent = await published();
    const finishedAt = new Date('2026-11-21T10:00:10.000Z');
    const gone = await delivered(agent, 'dead_letter', [[10, 'failed', 20]], { finishedAt });
    await delivered(agent, 'dead_letter', [], { finishedAt: new Date('2026-11-21T11:00:00.000Z') });
    await delivered(agent, 'dead_letter', [], { finishedAt: new Date('2026-11-20T11:00:00.000Z') });
    const { organizationId } = ctx;
    await database.db.getRepository(webhookEndpointSwitches).insert({
      organizationId,
      endpointKey: endpointKeyOf(gone),
      agentId: agent.agentId,
      nodeId: 'hook',
      url: gone.url,
      deliveryId: gone.id,
      switchedOffAt: finishedAt,
      turnedOnAt: null,
    });
    expect(await listEndpoints({ ctx, input: { state: 'off' } })).toMatchObject([
      {
        state: 'off',
        switched_off_at: '2026-11-21T10:00:10.000000Z',
        delivery_id: gone.uuid,
        waiting: 2,
      },
    ]);
    expect(await listEndpoints({ ctx, input: { state: 'healthy' } })).toEqual([]);
  });

  test('nothing of another organization is listed', async () => {
    await delivered(await published(), 'succeeded', [[1, 'succeeded', 10]]);
    ctx = await createTestContext(database.db, { clock });
    expect(await list()).toEqual([]);
  });

  test('the list reads the deliveries by their indexes', async () => {
    const agent = await published();
    await delivered(agent, 'succeeded', [[1, 'succeeded', 10]]);
    await insertMany(agent);
    const queries = await recordQueries(database.db, list);
    const over = queries.filter(({ sql }) => sql.includes('FROM deliveries'));
    expect(over).toHaveLength(4);
    const explain = kind === 'mysql' ? 'EXPLAIN FORMAT=TRADITIONAL' : 'EXPLAIN';
    for (const { sql, parameters } of over) {
      const plan = await database.db.query<Plan[]>(`${explain} ${sql}`, parameters);
      const reads = plan.filter(({ table }) => table === 'deliveries');
      expect(reads.length).toBeGreaterThan(0);
      for (const { key, Extra } of reads) {
        expect(key).toMatch(/^ix_deliveries_(endpoint|state)$/);
        if (!sql.includes('GROUP BY')) expect(String(Extra)).not.toContain('filesort'); // eslint-disable-line jest/no-conditional-expect -- pending ones are grouped by an address, which no index has
      }
    }
  });

  describe('a test', () => {
    test('sends one signed request that says what it is, with the secrets of the node, and stores nothing but the audit', async () => {
      const { secret } = await addWebhookSecret({ ctx, secrets: testSecrets });
      const { uuid } = await createCredential({
        ctx,
        secrets: testSecrets,
        input: { name: 'CRM', description: null, type: 'bearer_token', data: { token: 'tok-1234567890' } },
      });
      const seal = sealerOf(testSecrets, definitionPlace(ctx.organizationId));
      await published({
        endpoint_url: `${receiver.url}/in?key=secret`,
        credential_uuid: uuid,
        custom_headers: [
          { key: 'X-Auth-Token', value: seal('very-secret-1234') },
          { key: 'X-Plain', value: 'plain' },
        ],
      });
      const [endpoint] = await list();
      const before = receiver.requests.length;
      const result = await probe(endpoint?.id ?? '');
      expect(result).toMatchObject({
        status: 'success',
        status_code: 200,
        error: null,
        answer: 'thank you',
        address: `${receiver.host}/in`,
        method: 'POST',
      });
      expect(JSON.stringify(result)).not.toMatch(/very-secret|tok-1234|key=secret/);
      expect(receiver.requests).toHaveLength(before + 1);
      const sent = receiver.requests.at(-1);
      expect(sent?.headers).toMatchObject({
        'x-dograh-test': 'true',
        'x-auth-token': 'very-secret-1234',
        'x-plain': 'plain',
        authorization: 'Bearer tok-1234567890',
      });
      expect(sent?.headers['webhook-signature']).toBe(
        signWebhook({
          id: sent?.webhookId ?? '',
          at: clock.now(),
          body: sent?.body ?? '',
          secrets: [secret],
        }),
      );
      expect(JSON.parse(sent?.body ?? '')).toMatchObject({ test: true, workflow_name: 'Reminder' });
      expect(
        await database.db.getRepository(deliveries).countBy({ organizationId: ctx.organizationId }),
      ).toBe(0);
      expect(
        await database.db
          .getRepository(auditEvents)
          .countBy({ organizationId: ctx.organizationId, action: 'webhook_endpoint.tested' }),
      ).toBe(1);
      expect(await list()).toMatchObject([{ state: 'unused', attempts: [] }]);
    });

    test('of an endpoint that answers with an error is sent once and shows the answer', async () => {
      await published({ endpoint_url: `${receiver.url}/broken` });
      receiver.answerWith(() => ({ kind: 'answer', status: 503, body: 'x'.repeat(5000) }));
      const before = receiver.requests.length;
      const result = await probe((await list())[0]?.id ?? '');
      expect(result).toMatchObject({ status: 'error', status_code: 503, error: 'the endpoint answered 503' });
      expect(result.answer).toBe('x'.repeat(1024));
      expect(receiver.requests).toHaveLength(before + 1);
    });

    test.each([
      ['closes the connection', () => `${receiver.url}/drop`, /./],
      ['is at a private address that is not allowed', () => 'http://10.0.0.1/in', /address|allowed/i],
      ['is at a port that is not allowed', () => 'http://hooks.example.com:22/in', /port|allowed/i],
    ])('to an endpoint that %s says why it did not arrive', async (_title, url, why) => {
      receiver.answerWith(() => ({ kind: 'drop' }));
      await published({ endpoint_url: url() });
      const result = await probe((await list())[0]?.id ?? '');
      expect(result).toMatchObject({ status: 'error', status_code: null, answer: null });
      expect(result.error).toMatch(why);
    });

    test('of an endpoint that never answers ends with a time-out', async () => {
      receiver.answerWith(() => ({ kind: 'hang' }));
      await published({ endpoint_url: `${receiver.url}/hang` });
      const impatient: GuardedClient = {
        ...http,
        request: (request) => http.request({ ...request, timeoutMs: Math.min(request.timeoutMs, 300) }),
      };
      const result = await testEndpoint({
        ctx,
        deps: { http: impatient, secrets: testSecrets, sign: signWebhook },
        input: { endpointKey: (await list())[0]?.id ?? '' },
      });
      expect(result).toMatchObject({ status: 'error', status_code: null });
      expect(result.error).toMatch(/did not answer within/);
    });

    test('of an unknown endpoint, or one of another organization, finds nothing', async () => {
      await published();
      const [endpoint] = await list();
      ctx = await createTestContext(database.db, { clock });
      for (const key of [endpoint?.id ?? '', 'f'.repeat(32), 'unknown'])
        await expect(probe(key)).rejects.toThrow('Webhook endpoint not found');
    });
  });

  describe('a preview', () => {
    const preview = async (endpointKey: string, callId: number) =>
      await previewWebhook({ ctx, publicUrl: 'http://api.example.test', input: { endpointKey, callId } });

    test('has the bytes that the call sends, and hides secret headers', async () => {
      const seal = sealerOf(testSecrets, definitionPlace(ctx.organizationId));
      const { callId } = await published({
        custom_headers: [{ key: 'X-Auth-Token', value: seal('very-secret-1234') }],
      });
      await database.db.getRepository(calls).update({ id: callId }, { gatheredContext: { day: 'Monday' } });
      const shown = await preview((await list())[0]?.id ?? '', callId);
      expect(shown).toMatchObject({ run_id: callId, method: 'POST', address: 'hooks.example.com/in' });
      expect(shown.request_headers).toContainEqual({ name: 'X-Auth-Token', value: '************1234' });
      await prepareDeliveries({
        deps: { ...conversationDeps(ctx), publicUrl: 'http://api.example.test' },
        input: { callId, organizationId: ctx.organizationId },
      });
      const row = await database.db.getRepository(deliveries).findOneByOrFail({ callId });
      expect(shown.body).toBe(row.body);
    });

    test('is refused for a call of another agent, for erased values, and for a former address', async () => {
      const { callId, agentId } = await published();
      const [endpoint] = await list();
      const id = endpoint?.id ?? '';
      const other = await published({ endpoint_url: 'https://other.example.com/' });
      await expect(preview(id, other.callId)).rejects.toThrow('Workflow run not found');
      const former = await delivered({ agentId }, 'succeeded', [], { url: 'https://old.example.com/' });
      await expect(preview(endpointKeyOf(former), callId)).rejects.toThrow('does not send to this endpoint');
      await database.db
        .getRepository(calls)
        .update({ id: callId }, { variablesErasedAt: clock.now(), name: randomUUID() });
      await expect(preview(id, callId)).rejects.toThrow('erased');
    });
  });
});
