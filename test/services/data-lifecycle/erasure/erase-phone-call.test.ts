import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { callSeats } from '../../../../src/db/tables/call-seats.ts';
import { carrierEvents } from '../../../../src/db/tables/carrier-events.ts';
import { inTransaction } from '../../../../src/db/transaction.ts';
import { recordingKey } from '../../../../src/domain/files/key.ts';
import { openDirectory } from '../../../../src/providers/storage/directory.ts';
import type { Files } from '../../../../src/providers/storage/port.ts';
import { beginPiece, endPiece, writeJournal } from '../../../../src/services/calls/index.ts';
import { storeEvent } from '../../../../src/services/telephony/index.ts';
import {
  readEraseArguments,
  runErasure,
  type EraseReport,
} from '../../../../src/services/data-lifecycle/erasure/command.ts';
import { createHistories } from '../../../../src/temporal/histories.ts';
import { threeStepDefinition } from '../../../support/definitions.ts';
import { fingerprint } from '../../../support/erase-world.ts';
import { says, type FakeMediaHost } from '../../../support/fake-media-host.ts';
import { createRepeatingLlm, type MarkedPerson } from '../../../support/person-call.ts';
import { scanHistories, scanTables } from '../../../support/scan.ts';
import { until } from '../../../support/until.ts';
import { createVoiceWorld, type VoiceCall, type VoiceWorld } from '../../../support/voice-world.ts';

let world: VoiceWorld;
let host: FakeMediaHost;
let folder: string;
let files: Files;

beforeAll(async () => {
  world = await createVoiceWorld({ llm: createRepeatingLlm() });
  await world.startWorker();
  host = await world.startHost(() => ({}));
  folder = await mkdtemp(join(tmpdir(), 'parlance-erase-'));
  files = await openDirectory(folder);
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true });
});

const ctx = () => world.base.ctx;
const refOf = ({ callId, input }: VoiceCall) => ({ callId, organizationId: input.organizationId });
const leftOf = async ({ input }: VoiceCall, { mark, digits }: MarkedPerson) => ({
  tables: await scanTables(ctx().db, [mark, digits]),
  histories: await scanHistories(world.base.temporal, input.organizationUuid, [mark, digits]),
});
const recorded = async (call: VoiceCall) =>
  (await readdir(join(folder, 'recordings'), { recursive: true })).filter(
    (name) => name.startsWith(String(call.callId)) && /\.\w+$/.test(name),
  );

async function erase(call: VoiceCall, ...args: string[]): Promise<EraseReport> {
  const asked = readEraseArguments(['--organization', '1', ...args]);
  if ('fault' in asked) throw new Error(asked.fault);
  const deps = {
    histories: createHistories({ temporal: world.base.temporal }),
    prices: undefined,
    accounts: () => world.carrier,
    files,
  };
  return await runErasure({
    ctx: { ...ctx(), actor: { kind: 'system', name: 'operator' } },
    deps,
    fingerprint,
    organizationUuid: call.input.organizationUuid,
    asked,
  });
}

const keep = async (call: VoiceCall, { digits }: MarkedPerson, eventId: string) => {
  const raw = Buffer.from(
    JSON.stringify({
      data: { event_type: 'call.answered', payload: { from: `+49${digits}`, call_control_id: 'v3:carrier' } },
    }),
  );
  return await inTransaction(ctx().db, (tx) =>
    storeEvent(tx, ctx(), {
      ...refOf(call),
      message: { eventId, eventType: 'call.answered', occurredAt: new Date().toISOString() },
      raw,
    }),
  );
};
const journal = async (call: VoiceCall, { mark }: MarkedPerson, position: number) =>
  await writeJournal({
    db: ctx().db,
    at: new Date(),
    writes: [
      {
        place: { ...refOf(call), turnIndex: 2, visitIndex: 0, toolRound: 0 },
        generation: 1,
        entry: {
          kind: 'utterance',
          position,
          text: `late, says ${mark}`,
          startedAt: new Date().toISOString(),
          endedAt: new Date().toISOString(),
        },
      },
    ],
  });

/** A live call with data of the person in every table: it has had a turn, and its host is still listening. */
async function phone(person: MarkedPerson): Promise<VoiceCall> {
  const { mark, digits } = person;
  host.script = async (_input, signal) => {
    if (stepsOf().length < 3) return says(`hello, says ${mark}`);
    return await new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('cancelled'))),
    );
  };
  const stepsOf = () => host.steps.filter(({ callId }) => callId === call.callId);
  const inbound = { account_id: 'a', raw_webhook_data: { from: `+49${digits}` } };
  const call = await world.prepare(threeStepDefinition(), {
    row: {
      initialContext: { name: mark, called_number: `+49${digits}` },
      logs: { inbound_webhook: inbound },
    },
  });
  const dialing = world.starter.startPhoneCall(call.input);
  await call.dialed();
  await dialing;
  await keep(call, person, `answered-${call.callId}`);
  await call.carrierReports({ kind: 'answered' });
  await until('the third step', () => Promise.resolve(stepsOf().length >= 3));
  await journal(call, person, 0);
  const piece = await files.grow(
    await beginPiece({
      db: ctx().db,
      call: { ...refOf(call), generation: 1 },
      form: { sampleRate: 8000, beganAt: new Date() },
    }),
  );
  await piece.write(Buffer.from(mark), 0);
  await piece.close();
  await endPiece({ db: ctx().db, clock: ctx().clock, call: { ...refOf(call), generation: 1 } });
  return call;
}

// guarantee: erasure-ends-live-call
// guarantee: erased-call-keeps-no-events
test('refuses to erase a live phone call unless it may end it; then hangs up, leaves no number, words or sound, and stores no late data', async () => {
  const gerda: MarkedPerson = { mark: 'Fp6Gerda', digits: '15544433322' };
  const call = await phone(gerda);
  const before = await leftOf(call, gerda);
  expect(before.tables).toEqual(
    expect.arrayContaining([
      'calls.initial_context',
      'calls.logs',
      'carrier_events.raw',
      'journal_entries.text',
      'turns.lines',
    ]),
  );
  expect(before.histories).toHaveLength(1);
  expect(await recorded(call)).toEqual([`${call.callId}/1.pcm`]);

  await expect(erase(call, '--phone', `+49${gerda.digits}`, '--yes')).rejects.toThrow(
    `These calls are live: ${call.callId}`,
  );
  expect(world.carrier.requests('hangUp')).toEqual([]);
  const report = await erase(call, '--phone', `+49${gerda.digits}`, '--yes', '--end-live');
  expect(report).toMatchObject({
    outcome: 'erased',
    live: [call.callId],
    content: { carrier_events: 1, journal_entries: 1, call_recordings: 1, phone_legs: 1 },
    erased: { ended: 1 },
  });
  expect(await leftOf(call, gerda)).toEqual({ tables: [], histories: [] });
  expect(world.carrier.requests('hangUp')).toHaveLength(1);
  expect(await recorded(call)).toEqual([]);
  expect(await call.row()).toMatchObject({
    state: 'ended',
    disposition: 'system_cancelled',
    recordedAt: null,
    transcriptErasedAt: expect.any(Date),
    variablesErasedAt: expect.any(Date),
    logs: {},
  });
  expect(await ctx().db.getRepository(callSeats).findOneByOrFail({ callId: call.callId })).toMatchObject({
    releasedAt: expect.any(Date),
  });

  expect(await keep(call, gerda, 'late')).toMatchObject({ raw: null });
  await journal(call, gerda, 1);
  await expect(
    beginPiece({
      db: ctx().db,
      call: { ...refOf(call), generation: 2 },
      form: { sampleRate: 8000, beganAt: new Date() },
    }),
  ).rejects.toMatchObject({ code: 'precondition' });
  expect(await leftOf(call, gerda)).toEqual({ tables: [], histories: [] });
  expect(await ctx().db.getRepository(carrierEvents).countBy({ callId: call.callId })).toBe(2);
});

test('leaves no data of the person in an ended phone call, including its recording; a repeated erasure finds nothing', async () => {
  const hanna: MarkedPerson = { mark: 'Lk4Hanna', digits: '15533322211' };
  const call = await phone(hanna);
  await call.carrierReports({ kind: 'hangup', cause: 'normal_clearing', source: 'callee' });
  await call.ended();
  await files.write(
    recordingKey(call.callId, 'mix'),
    (async function* sound() {
      yield Buffer.from(hanna.mark);
    })(),
    1000,
  );
  await ctx().db.query('UPDATE calls SET recorded_at = NOW(6) WHERE id = ?', [call.callId]);
  expect((await leftOf(call, hanna)).tables).toEqual(
    expect.arrayContaining(['calls.logs', 'carrier_events.raw']),
  );
  const hungUp = world.carrier.requests('hangUp').length;

  expect(await erase(call, '--phone', `+49${hanna.digits}`, '--yes')).toMatchObject({
    outcome: 'erased',
    erased: { removed: { carrier_events: 1, call_recordings: 2 } },
  });
  expect(await leftOf(call, hanna)).toEqual({ tables: [], histories: [] });
  expect(await recorded(call)).toEqual([]);
  expect(world.carrier.requests('hangUp')).toHaveLength(hungUp);
  expect(await erase(call, '--call', String(call.callId), '--yes')).toMatchObject({
    erased: { removed: { carrier_events: 0, call_recordings: 0, phone_legs: 0, journal_entries: 0 } },
  });
});
