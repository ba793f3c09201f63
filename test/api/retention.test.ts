import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auditEvents } from '../../src/db/tables/audit-events.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { deliveries, type DeliveryRow } from '../../src/db/tables/deliveries.ts';
import { textSessions } from '../../src/db/tables/text-sessions.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { initialCheckpoint } from '../../src/domain/call/checkpoint.ts';
import { signWebhook } from '../../src/providers/http/webhook-signer.ts';
import { lockCall, removeTranscript, removeVariables } from '../../src/services/data-lifecycle/index.ts';
import { attemptDelivery, selectDeliveries } from '../../src/services/webhooks/index.ts';
import type { ServiceContext } from '../../src/services/kernel/context.ts';
import type { DeliveryStarter } from '../../src/temporal/delivery-port.ts';
import { at, createTenant, startApi, type ApiUnderTest } from '../support/api-on-services.ts';
import {
  createTestContext,
  createTestDatabase,
  testSecrets,
  type TestDatabase,
} from '../support/database.ts';
import { insertDelivery, insertEndedCall } from '../support/delivery-rows.ts';
import { createFakeCustomerHttp } from '../support/fake-customer-http.ts';
import { insertTurn } from '../support/turn-rows.ts';

let database: TestDatabase;
let api: ApiUnderTest;
let key: string;
let ctx: ServiceContext;
const drained: Parameters<DeliveryStarter['drain']>[0][] = [];
const resent: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase('mariadb');
  api = await startApi(database.db, {
    deliveries: {
      resend: ({ deliveryUuid }) => Promise.resolve(void resent.push(deliveryUuid)),
      drain: (input) => Promise.resolve(void drained.push(input)),
    },
  });
  const tenant = await createTenant(database.db);
  ({ key } = tenant);
  ctx = { ...(await createTestContext(database.db)), organizationId: tenant.organizationId };
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

describe('the retention policy', () => {
  const path = '/organizations/retention';

  test('keeps data forever by default; a new policy replaces the former one as a whole and is in the audit log', async () => {
    const none = { transcript_days: null, recording_days: null, variable_days: null };
    expect(await api.ask(key, 'GET', path)).toMatchObject({
      status: 200,
      body: { ...none, updated_at: null, applied_at: null },
    });
    expect(
      await api.ask(key, 'PUT', path, { transcript_days: 30, recording_days: 30, variable_days: 90 }),
    ).toMatchObject({ status: 200, body: { transcript_days: 30, recording_days: 30, variable_days: 90 } });
    expect(await api.ask(key, 'PUT', path, { transcript_days: '7' })).toMatchObject({
      status: 200,
      body: { ...none, transcript_days: 7 },
    });
    expect(await api.ask(key, 'GET', path)).toMatchObject({
      body: { ...none, transcript_days: 7, updated_at: expect.any(String) },
    });
    const audit = await database.db.getRepository(auditEvents).find({
      where: { organizationId: ctx.organizationId, action: 'retention_policy.set' },
      order: { id: 'ASC' },
    });
    const replaced = (name: string, old_value: unknown, value: unknown) => ({
      op: 'replace',
      path: `/${name}_days`,
      old_value,
      value,
    });
    expect(
      audit.map(({ diff }) => diff?.operations.toSorted((one, other) => (one.path < other.path ? -1 : 1))),
    ).toEqual([
      [replaced('recording', null, 30), replaced('transcript', null, 30), replaced('variable', null, 90)],
      [replaced('recording', 30, null), replaced('transcript', 30, 7), replaced('variable', 90, null)],
    ]);
  });

  test.each([
    { transcript_days: 0 },
    { variable_days: 3651 },
    { transcript_days: 'soon' },
    { transcript_days: 1.5 },
  ])('%j is not a valid policy', async (body) => {
    expect(await api.ask(key, 'PUT', path, body)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', Object.keys(body)[0]] }] },
    });
  });

  test.each([
    { transcript_days: 31, variable_days: 30 },
    { variable_days: 30 },
    { transcript_days: 10, variable_days: 30 },
    { transcript_days: 10, recording_days: 31, variable_days: 30 },
  ])('%j is refused, because it would keep transcripts or recordings longer than variables', async (body) => {
    expect(await api.ask(key, 'PUT', path, body)).toMatchObject({
      status: 422,
      body: {
        detail: [
          {
            loc: ['body', 'variable_days'],
            type: 'value_error',
            msg: expect.stringContaining('found by them'),
          },
        ],
      },
    });
  });
});

describe('a call with erased data', () => {
  let call: { callId: number; agentId: number };
  let sent: DeliveryRow;
  let dead: DeliveryRow;
  const http = createFakeCustomerHttp();
  const attempt = (deliveryUuid: string, number: number) =>
    attemptDelivery({
      deps: { ...ctx, secrets: testSecrets, http, sign: signWebhook, timeoutMs: 60_000 },
      input: { deliveryUuid, attempt: number, resend: true },
    });

  beforeAll(async () => {
    call = await insertEndedCall(ctx);
    await database.db.getRepository(calls).update({ id: call.callId }, { publicToken: ctx.ids.uuid() });
    await database.db.getRepository(textSessions).insert({
      callId: call.callId,
      organizationId: ctx.organizationId,
      revision: 3,
      branch: 0,
      status: 'completed',
      cursorTurnUuid: ctx.ids.uuid(),
      checkpoint: { ...initialCheckpoint, turnIndex: 0 },
      updatedAt: new Date(),
    });
    await insertTurn(ctx, call.callId, 'Hello');
    sent = await insertDelivery(ctx, call, { state: 'succeeded', attemptCount: 1 });
    dead = await insertDelivery(ctx, call, {
      state: 'dead_letter',
      attemptCount: 1,
      lastError: 'The receiver answered 500',
    });
    await inTransaction(database.db, async (tx) => {
      const locked = await lockCall(tx, { ...call, organizationId: ctx.organizationId });
      if (locked === null) throw new Error('the call is not there');
      await removeTranscript(tx, locked, ctx.clock.now());
      await removeVariables(tx, locked, ctx.clock.now());
    });
  });

  const run = () => `/workflow/${call.agentId}/runs/${call.callId}`;
  const moment = expect.stringMatching(/^20\d\d-.*Z$/);

  test('has the time of erasure in its record, null instead of empty objects, and no link to a transcript', async () => {
    expect(await api.ask(key, 'GET', run())).toMatchObject({
      status: 200,
      body: {
        initial_context: null,
        gathered_context: null,
        annotations: null,
        transcript_url: null,
        transcript_public_url: null,
        transcript_erased_at: moment,
        variables_erased_at: moment,
        disposition: 'user_qualified',
      },
    });
    expect(at((await api.ask(key, 'GET', `/workflow/${call.agentId}/runs`)).body, 'runs', 0)).toMatchObject({
      initial_context: null,
      transcript_erased_at: moment,
    });
  });

  test('has the time of erasure in its text session, which has no turns', async () => {
    expect(
      await api.ask(key, 'GET', `/workflow/${call.agentId}/text-chat/sessions/${call.callId}`),
    ).toMatchObject({
      status: 200,
      body: {
        revision: 3,
        is_completed: true,
        session_data: { turns: [], discarded_future: [] },
        checkpoint: { messages: [] },
        transcript_erased_at: moment,
        variables_erased_at: moment,
      },
    });
  });

  test('answers an old link to its transcript with 404 and a text', async () => {
    const { publicToken } = await database.db.getRepository(calls).findOneByOrFail({ id: call.callId });
    expect(
      await api.ask(null, 'GET', `/public/download/workflow/${publicToken ?? ''}/transcript`),
    ).toMatchObject({
      status: 404,
      body: { detail: expect.stringMatching(/transcript of this workflow run was erased at 20/) },
    });
  });

  test('shows its deliveries without bodies, and never sends them again: not singly, not by filter, not by a pending attempt', async () => {
    expect(await api.ask(key, 'GET', `/webhook-deliveries/${sent.uuid}`)).toMatchObject({
      status: 200,
      body: { body: null, erased_at: moment, state: 'succeeded' },
    });
    expect(await api.ask(key, 'POST', `/webhook-deliveries/${dead.uuid}/resend`)).toMatchObject({
      status: 409,
      body: { code: 'precondition', detail: expect.stringContaining('The body was erased at 20') },
    });
    const other = await insertDelivery(ctx, await insertEndedCall(ctx), { state: 'dead_letter' });
    expect(await api.ask(key, 'POST', '/webhook-deliveries/resend', { state: 'dead_letter' })).toMatchObject({
      body: { queued: 1 },
    });
    const selected = await selectDeliveries({
      db: database.db,
      selection: {
        organizationId: ctx.organizationId,
        filter: { state: 'dead_letter' },
        throughId: drained[0]?.selection.throughId ?? 0,
      },
      afterId: 0,
    });
    expect(selected.map(({ deliveryUuid }) => deliveryUuid)).toEqual([other.uuid]);
    expect(await attempt(dead.uuid, 2)).toMatchObject({ kind: 'dead', reason: 'The receiver answered 500' });
    expect([http.requests.length, resent.length]).toEqual([0, 0]);
    expect(await database.db.getRepository(deliveries).findOneByOrFail({ id: dead.id })).toMatchObject({
      state: 'dead_letter',
      attemptCount: 1,
    });
  });
});
