import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { calls } from '../../../../src/db/tables/calls.ts';
import { textSessions } from '../../../../src/db/tables/text-sessions.ts';
import { initialCheckpoint } from '../../../../src/domain/call/checkpoint.ts';
import { ConflictError, UnavailableError } from '../../../../src/domain/errors.ts';
import { createAgent, updateAgent } from '../../../../src/services/agents/index.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { claimIdempotencyKey, releaseIdempotencyKey } from '../../../../src/services/kernel/index.ts';
import { createTextSession } from '../../../../src/services/calls/index.ts';
import type { CallInput, CallStarter, SessionOutcome } from '../../../../src/temporal/port.ts';
import { answeringCalls } from '../../../support/api-on-services.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  databases,
  type TestClock,
  type TestDatabase,
} from '../../../support/database.ts';
import { threeStepDefinition } from '../../../support/definitions.ts';

describe.each(databases)('starting a text session on %s', (kind) => {
  let database: TestDatabase;
  let clock: TestClock;
  let caller: ServiceContext;
  let agentId: number;
  let started: { input: CallInput; failures: number | undefined }[];
  let outcome: () => Promise<SessionOutcome>;

  const starter: CallStarter = {
    ...answeringCalls,
    openTextSession: (input, failures) => {
      started.push({ input, failures });
      return outcome();
    },
  };

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    clock = createTestClock();
    caller = await createTestContext(database.db, { clock });
    agentId = (
      await createAgent({ ctx: caller, input: { name: 'Agent', definition: threeStepDefinition() } })
    ).id;
  });
  beforeEach(() => {
    started = [];
    outcome = () => Promise.resolve({ kind: 'answered', revision: 1 });
  });
  afterAll(async () => await database.drop());

  /** A separate request with that key. */
  const keyed = async (key: string): Promise<ServiceContext> => {
    const ctx = { ...caller };
    expect(await claimIdempotencyKey({ ctx, input: { key, requestHash: 'a'.repeat(64) } })).toEqual({
      kind: 'claimed',
    });
    return ctx;
  };
  const create = (ctx: ServiceContext) =>
    createTextSession({
      ctx,
      deps: { calls: starter },
      input: { agentId, initialContext: { name: 'Ada' }, annotations: {} },
    });
  const rows = () => database.db.getRepository(calls).countBy({ agentId });
  const onlyCall = () =>
    database.db.getRepository(calls).findOneByOrFail({ uuid: started[0]?.input.callUuid ?? '' });

  /** The first request with the key created its call, and its process died before the answer. */
  const died = async (key: string): Promise<void> => {
    outcome = () => Promise.reject(new Error('the process died'));
    await expect(create(await keyed(key))).rejects.toThrow('the process died');
    clock.advance(30_000);
    outcome = () => Promise.resolve({ kind: 'answered', revision: 1 });
  };

  test('continues the call of a key whose process died after creating it, with the version that it began with', async () => {
    const before = await rows();
    await died('died');
    await updateAgent({
      ctx: caller,
      input: { agentId, definition: threeStepDefinition({ greeting: 'Changed meanwhile.' }) },
    });
    const session = await create(await keyed('died'));
    expect(started[1]).toEqual(started[0]);
    expect(session).toMatchObject({
      workflow_run_id: started[0]?.input.callId,
      initial_context: { name: 'Ada' },
    });
    expect(await rows()).toBe(before + 1);
  });

  test('creates a new call for each request without a key', async () => {
    const both = [await create({ ...caller }), await create({ ...caller })].map(
      ({ workflow_run_id }) => workflow_run_id,
    );
    expect(new Set(both).size).toBe(2);
  });

  test('creates another call for the key of a refused call, which never runs', async () => {
    outcome = () =>
      Promise.reject(new UnavailableError('Temporal is not available', { dependency: 'temporal' }));
    const first = await keyed('refused');
    await expect(create(first)).rejects.toBeInstanceOf(UnavailableError);
    await releaseIdempotencyKey({ ctx: first, input: { key: 'refused' } });
    expect((await onlyCall()).state).toBe('refused');

    outcome = () => Promise.resolve({ kind: 'answered', revision: 1 });
    const { workflow_run_id: callId } = await create(await keyed('refused'));
    expect(callId).toBe(started[1]?.input.callId);
    expect(callId).not.toBe(started[0]?.input.callId);
    expect((await onlyCall()).state).toBe('refused');
  });

  test('continues the call of the key when it was admitted although the answer was late', async () => {
    outcome = async () => {
      await database.db
        .getRepository(calls)
        .update({ uuid: started[0]?.input.callUuid ?? '' }, { state: 'admitted', startedAt: clock.now() });
      return { kind: 'slow' };
    };
    const first = await keyed('slow');
    await expect(create(first)).rejects.toMatchObject({ code: 'unavailable' });
    await releaseIdempotencyKey({ ctx: first, input: { key: 'slow' } });
    outcome = () => Promise.resolve({ kind: 'answered', revision: 1 });
    expect((await create(await keyed('slow'))).workflow_run_id).toBe(started[0]?.input.callId);
  });

  test('repeats a failed opening of the same call for the same key', async () => {
    const checkpoint = { ...initialCheckpoint, failures: 1 };
    outcome = async () => {
      await database.db
        .getRepository(textSessions)
        .update({ callId: started[0]?.input.callId ?? 0 }, { status: 'error', checkpoint });
      return { kind: 'failed', code: 'provider', message: 'no' };
    };
    const first = await keyed('opening');
    await expect(create(first)).rejects.toMatchObject({ code: 'provider', status: 500 });
    await releaseIdempotencyKey({ ctx: first, input: { key: 'opening' } });
    outcome = () => Promise.resolve({ kind: 'answered', revision: 1 });
    await create(await keyed('opening'));
    expect(started.map(({ failures }) => failures)).toEqual([0, 1]);
    expect(started[1]?.input).toEqual(started[0]?.input);
  });

  test('returns an ended conversation as it is when its request is repeated', async () => {
    await died('over');
    await database.db
      .getRepository(calls)
      .update({ id: started[0]?.input.callId ?? 0 }, { state: 'ended', endedAt: clock.now() });
    outcome = () => Promise.resolve({ kind: 'closed' });
    expect(await create(await keyed('over'))).toMatchObject({
      workflow_run_id: started[0]?.input.callId,
      state: 'completed',
    });
  });

  test('fails when another request has refused the call meanwhile', async () => {
    outcome = async () => {
      await database.db
        .getRepository(calls)
        .update({ uuid: started[0]?.input.callUuid ?? '' }, { state: 'refused', endedAt: clock.now() });
      return { kind: 'closed' };
    };
    await expect(create(await keyed('given-up'))).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('creates no call when the request has lost its claim', async () => {
    const slow = await keyed('lost');
    clock.advance(30_000);
    await keyed('lost');
    const before = await rows();
    await expect(create(slow)).rejects.toBeInstanceOf(ConflictError);
    expect(await rows()).toBe(before);
    expect(started).toEqual([]);
  });
});
