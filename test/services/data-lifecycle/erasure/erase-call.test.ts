import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { calls } from '../../../../src/db/tables/calls.ts';
import { deliveries } from '../../../../src/db/tables/deliveries.ts';
import { textSessions } from '../../../../src/db/tables/text-sessions.ts';
import { turns } from '../../../../src/db/tables/turns.ts';
import { initialCheckpoint } from '../../../../src/domain/call/checkpoint.ts';
import { signWebhook } from '../../../../src/providers/http/webhook-signer.ts';
import { commitTurn, prepareDeliveries } from '../../../../src/services/calls/index.ts';
import { claimToolRun } from '../../../../src/services/calls/turns/tool-claim.ts';
import { attemptDelivery } from '../../../../src/services/webhooks/index.ts';
import { createHistories } from '../../../../src/temporal/histories.ts';
import type { Histories } from '../../../../src/temporal/histories-port.ts';
import { neverChosen } from '../../../support/admitted-call.ts';
import { testSecrets } from '../../../support/database.ts';
import { createEraseWorld, type EraseWorld } from '../../../support/erase-world.ts';
import { answered } from '../../../support/fake-customer-http.ts';
import { noFiles } from '../../../support/no-files.ts';
import { createRepeatingLlm, talk, talkToTheEnd, type MarkedPerson } from '../../../support/person-call.ts';
import { createGate } from '../../../support/scripted-llm.ts';

let own: EraseWorld;

beforeAll(async () => {
  own = await createEraseWorld('mariadb');
});
afterAll(async () => await own.close());

test('an interrupted erasure finishes when it is repeated; a further repetition finds nothing', async () => {
  const { world, tables, histories, erase } = own;
  const carla: MarkedPerson = { mark: 'Bv5Carla', digits: '15577665544' };
  const call = await talkToTheEnd({ ...own, person: carla });
  const real = createHistories({ temporal: world.temporal });
  const killed: Histories = {
    forget: async (workflowId) =>
      workflowId.startsWith('delivery/')
        ? await Promise.reject(new Error('killed'))
        : await real.forget(workflowId),
  };
  await expect(erase(['--phone', `+49${carla.digits}`, '--yes'], killed)).rejects.toThrow('killed');
  expect(await histories(carla)).toEqual([]);
  expect(await tables(carla)).not.toEqual([]);

  expect(await erase(['--phone', `+49${carla.digits}`, '--yes'])).toMatchObject({
    outcome: 'erased',
    calls: [call.callId],
    erased: { ended: 1 },
  });
  expect([await tables(carla), await histories(carla)]).toEqual([[], []]);
  expect(await erase(['--phone', `+49${carla.digits}`, '--yes'])).toMatchObject({
    outcome: 'nobody',
    erased: null,
    again: null,
  });
  // By the ids of the first report, as after a restore.
  expect(await erase(['--call', (await call.row()).uuid, '--yes'])).toMatchObject({
    outcome: 'erased',
    erased: { ended: 0, forgotten: 0, removed: { turns: 0, calls: 1 } },
  });
});

test('removes a recording, too: its files and all traces of it', async () => {
  const { world, erase } = own;
  const rita: MarkedPerson = { mark: 'Qk3Rita', digits: '15511223344' };
  const { callId } = await talkToTheEnd({ ...own, person: rita });
  await world.ctx.db.getRepository(calls).update({ id: callId }, { recordedAt: new Date() });
  const removed: string[] = [];
  const files = {
    ...noFiles,
    remove: (key: string) => Promise.resolve(void removed.push(key)),
    removeAll: (key: string) => Promise.resolve(void removed.push(`${key}/`)),
  };
  expect(await erase(['--phone', `+49${rita.digits}`, '--yes'], undefined, files)).toMatchObject({
    outcome: 'erased',
    erased: { removed: { call_recordings: 1 } },
  });
  expect(removed).toEqual(expect.arrayContaining([`recordings/${callId}.wav`, `recordings/${callId}/`]));
  expect((await world.ctx.db.getRepository(calls).findOneByOrFail({ id: callId })).recordedAt).toBeNull();
});

test('refuses to erase a live call unless it may end it; then sends no webhook of it and refuses its late writes', async () => {
  const { world, tenant, tables, histories, erase } = own;
  const dora: MarkedPerson = { mark: 'Hn9Dora', digits: '15566554433' };
  const call = await talk({ ...own, person: dora });
  await expect(erase(['--customer', `customer ${dora.mark}`, '--yes'])).rejects.toThrow(
    `These calls are live: ${call.callId}`,
  );
  expect((await call.row()).state).toBe('talking');

  const usedBefore = (await world.ctx.db.getRepository(turns).findBy({ callId: call.callId })).length;
  expect(usedBefore).toBeGreaterThan(3);
  expect(await erase(['--customer', `customer ${dora.mark}`, '--yes', '--end-live'])).toMatchObject({
    outcome: 'erased',
    live: [call.callId],
    erased: { ended: 1 },
  });
  expect([await tables(dora), await histories(dora)]).toEqual([[], []]);
  expect(await call.row()).toMatchObject({
    state: 'ended',
    disposition: 'system_cancelled',
    usage: { llm: { 'simulated|||test-model': { total_tokens: expect.any(Number) } } },
    transcriptErasedAt: expect.any(Date),
  });
  expect(await call.ask('messages', { text: `hello, says ${dora.mark}` })).toMatchObject({ status: 400 });
  expect(await world.ctx.db.getRepository(deliveries).countBy({ callId: call.callId })).toBe(0);

  const { organizationId, db } = tenant.ctx;
  const ref = { callId: call.callId, organizationId };
  const deps = {
    ...tenant.ctx,
    llm: createRepeatingLlm(),
    model: 'test-model',
    customerLlms: neverChosen,
    publicUrl: 'http://parlance.test',
  };
  const { revision } = await db.getRepository(textSessions).findOneByOrFail(ref);
  const late = {
    ...ref,
    checkpoint: { ...initialCheckpoint, turnIndex: 99, revision: revision + 1 },
    failures: 0,
    from: null,
    lines: [
      {
        speaker: 'user' as const,
        text: dora.mark,
        at: new Date().toISOString(),
        nodeId: null,
        kind: 'utterance' as const,
      },
    ],
    steps: [],
    isOver: false,
  };
  await expect(commitTurn({ deps, input: late })).rejects.toMatchObject({ code: 'precondition' });
  await expect(
    claimToolRun({
      deps,
      input: {
        ...ref,
        branch: 0,
        turnIndex: 99,
        callIndex: 0,
        call: { id: 'c', toolUuid: randomUUID(), name: 'place_order', argumentsText: dora.mark, values: {} },
      },
    }),
  ).rejects.toMatchObject({ code: 'precondition' });
  expect(await prepareDeliveries({ deps, input: ref })).toBe(0);
  expect(await tables(dora)).toEqual([]);
});

test('stores no answer of a delivery attempt that ends after the erasure', async () => {
  const { world, tenant, http, tables, erase } = own;
  const emil: MarkedPerson = { mark: 'Tw2Emil', digits: '15555443322' };
  const call = await talkToTheEnd({ ...own, person: emil });
  const { uuid } = await world.ctx.db
    .getRepository(deliveries)
    .findOneByOrFail({ callId: call.callId, nodeId: 'waiting' });
  const gate = createGate();
  http.answerWith(async () => {
    await gate.wait();
    return answered(200, {}, `late thanks, ${emil.mark}`);
  });
  const attempt = attemptDelivery({
    deps: { ...tenant.ctx, secrets: testSecrets, http, sign: signWebhook, timeoutMs: 10_000 },
    input: { deliveryUuid: uuid, attempt: 2 },
  });
  await gate.reached;
  await erase(['--call', String(call.callId), '--yes'], {
    forget: () => Promise.resolve({ runs: 0, wasRunning: false }),
  });
  expect(await world.ctx.db.getRepository(deliveries).findOneByOrFail({ uuid })).toMatchObject({
    state: 'dead_letter',
    lastError: 'Not sent: the call was erased',
    body: null,
    erasedAt: expect.any(Date),
  });
  gate.open();
  await attempt;
  expect(await tables(emil)).toEqual([]);
  expect(await world.ctx.db.getRepository(deliveries).findOneByOrFail({ uuid })).toMatchObject({
    state: 'succeeded',
  });
});
