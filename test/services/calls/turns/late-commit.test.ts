import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { updateRows } from '../../../../src/db/rows.ts';
import { calls, type CallState } from '../../../../src/db/tables/calls.ts';
import { textSessions } from '../../../../src/db/tables/text-sessions.ts';
import { turns } from '../../../../src/db/tables/turns.ts';
import { initialCheckpoint } from '../../../../src/domain/call/checkpoint.ts';
import { commitTurn, finalizeCall } from '../../../../src/services/calls/index.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { admitTextCall, conversationDeps } from '../../../support/admitted-call.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  type TestDatabase,
} from '../../../support/database.ts';
import { threeStepDefinition } from '../../../support/definitions.ts';

describe.each(databases)('a turn that is committed after its call has ended, on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    ctx = await createTestContext(database.db);
  });
  afterAll(async () => await database.drop());

  const admitted = async (channel: 'phone' | 'text') => {
    const { callId, organizationId } = await admitTextCall({ ctx, definition: threeStepDefinition() });
    if (channel === 'phone') {
      await database.db.getRepository(textSessions).delete({ callId });
      await updateRows(database.db.manager, calls, {
        where: { id: callId, organizationId },
        change: { channel, mode: 'telnyx' },
      });
    }
    return { callId, organizationId };
  };
  const commit = (ref: { callId: number; organizationId: number }, revision = 1, isOver = false) =>
    commitTurn({
      deps: conversationDeps(ctx),
      input: {
        ...ref,
        checkpoint: { ...initialCheckpoint, nodeId: 'start', turnIndex: revision - 1, revision },
        failures: 0,
        from: null,
        lines: [
          {
            speaker: 'assistant',
            text: 'Hello',
            at: ctx.clock.now().toISOString(),
            nodeId: 'start',
            kind: 'reply',
          },
        ],
        steps: [],
        isOver,
      },
    });
  const found = async ({ callId }: { callId: number }) => ({
    row: await database.db.getRepository(calls).findOneByOrFail({ id: callId }),
    turns: await database.db.getRepository(turns).countBy({ callId }),
  });

  // guarantee: late-turn-reopens-no-call
  test.each([
    ['phone', 'ended', false],
    ['phone', 'ended', true],
    ['phone', 'refused', false],
    ['text', 'ended', false],
    ['text', 'refused', true],
  ] as const satisfies ['phone' | 'text', CallState, boolean][])(
    'by %s as %s (last turn: %s) changes nothing of the call',
    async (channel, state, isOver) => {
      const ref = await admitted(channel);
      await updateRows(database.db.manager, calls, {
        where: { id: ref.callId, organizationId: ref.organizationId },
        change: { state, endedAt: ctx.clock.now() },
      });
      const before = await found(ref);
      await commit(ref, 1, isOver);
      expect(await found(ref)).toEqual(before);
    },
  );

  test('at the same moment as the end leaves the call ended, with or without the turn', async () => {
    const ref = await admitted('phone');
    await commit(ref);
    await Promise.all([
      commit(ref, 2),
      finalizeCall({
        deps: conversationDeps(ctx),
        input: {
          ...ref,
          reason: 'user_hangup',
          checkpoint: { ...initialCheckpoint, nodeId: 'start', turnIndex: 0, revision: 2 },
          extractions: [],
          failedExtractions: [],
        },
      }),
    ]);
    expect((await found(ref)).row.state).toBe('ended');
  });

  test.each([
    ['phone', false, 'talking'],
    ['phone', true, 'ending'],
    ['text', false, 'talking'],
  ] as const)('by %s before the end (last turn: %s) makes the call %s', async (channel, isOver, state) => {
    const ref = await admitted(channel);
    await commit(ref, 1, isOver);
    expect(await found(ref)).toMatchObject({ row: { state }, turns: 1 });
  });
});
