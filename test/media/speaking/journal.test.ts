import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { callSeats } from '../../../src/db/tables/call-seats.ts';
import { journalEntries } from '../../../src/db/tables/journal-entries.ts';
import { createJournalWriter } from '../../../src/media/speaking/journal-writer.ts';
import { readJournal, writeJournal, type JournalWrite } from '../../../src/services/calls/index.ts';
import { edge, node } from '../../support/definitions.ts';
import {
  answering,
  createSpeakingWorld,
  said,
  type SpeakingWorld,
} from '../../support/media/speaking-world.ts';
import { until } from '../../support/until.ts';

let world: SpeakingWorld;

beforeAll(async () => {
  world = await createSpeakingWorld();
});
afterAll(() => world.close());

const definition = {
  nodes: [
    node('start', 'startCall', { name: 'Start', prompt: 'You are at the start.', greeting: 'Hi there.' }),
    node('bye', 'endCall', { name: 'Bye', prompt: 'Say goodbye.' }),
  ],
  edges: [edge('e', 'start', 'bye', 'done')],
};
const answer = { turnIndex: 1, nodeId: 'start', entry: { kind: 'utterance' as const } };

function noted(
  call: { callId: number; organizationId: number },
  { generation = 1, text = 'One.' } = {},
): JournalWrite {
  const place = {
    callId: call.callId,
    organizationId: call.organizationId,
    turnIndex: 0,
    visitIndex: 0,
    toolRound: 0,
  };
  return {
    place,
    generation,
    entry: {
      kind: 'clause',
      position: 0,
      text,
      lineKind: 'reply',
      isFiller: false,
      recordingId: null,
      sentAt: null,
      playedAt: null,
      heardText: null,
    },
  };
}

describe('the journal of a call', () => {
  test('is written during the step, and only the next host needs it', async () => {
    const call = await world.call({
      definition,
      rules: [
        answering('tell me', {
          say: 'First this. Then that, which takes longer than any writing does.',
          call: { tool: 'done' },
        }),
      ],
    });
    const spoken = call.step(answer, { pendingLines: [said('tell me')] });
    await call.line.hears('First this.');
    await spoken;
    await call.deps.journal.settled();
    const [first, second] = await world.database.db
      .getRepository(journalEntries)
      .find({ where: { callId: call.callId, kind: 'clause' }, order: { position: 'ASC' } });
    expect(first?.playedAt).not.toBeNull();
    expect(first?.writtenAt.getTime()).toBeLessThan(second?.playedAt?.getTime() ?? 0); // with its end, while the next one was still playing
    const place = {
      callId: call.callId,
      organizationId: call.organizationId,
      turnIndex: 1,
      visitIndex: 0,
      toolRound: 0,
    };
    const entries = await readJournal({ db: world.database.db, place, generation: 2, from: 1000 });
    expect(entries.map(({ kind }) => kind).toSorted()).toEqual(['clause', 'clause', 'decision']);
    expect(
      entries
        .filter((each) => each.kind === 'clause')
        .every(
          ({ sentAt, playedAt, heardText }) => sentAt !== null && playedAt !== null && heardText === null,
        ),
    ).toBe(true);
    expect(await readJournal({ db: world.database.db, place, generation: 1, from: 1000 })).toEqual([]);
    expect(
      await readJournal({
        db: world.database.db,
        place: { ...place, organizationId: call.organizationId + 1 },
        generation: 2,
        from: 1000,
      }),
    ).toEqual([]);
  });

  // guarantee: replaced-host-cannot-write-journal
  test('accepts nothing from a host whose call another host has', async () => {
    const call = await world.call({ definition });
    await world.database.db.getRepository(callSeats).update({ callId: call.callId }, { generation: 2 });
    await writeJournal({
      db: world.database.db,
      writes: [
        noted(call),
        noted(call, { generation: 2 }),
        noted({ ...call, organizationId: call.organizationId + 1 }, { generation: 2 }),
      ],
      at: new Date(),
    });
    const rows = await world.database.db.getRepository(journalEntries).findBy({ callId: call.callId });
    expect(rows.map(({ generation, organizationId }) => [generation, organizationId])).toEqual([
      [2, call.organizationId],
    ]);
  });

  // guarantee: journal-waits-for-mysql
  test('waits while MySQL is down: calls go on, and an entry that changed is written once in its newest form', async () => {
    const written: JournalWrite[][] = [];
    const [begun, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let tries = 0;
    const write = async (writes: readonly JournalWrite[]) => {
      tries += 1;
      if (tries === 1) {
        begun.resolve();
        await answered.promise;
        throw new Error('away');
      }
      written.push([...writes]);
    };
    const writer = createJournalWriter({ write, log: pino({ level: 'silent' }), lagMs: 5, pauseMs: 30 });
    writer.note(noted({ callId: 1, organizationId: 1 }, { text: 'old' }));
    writer.note(noted({ callId: 2, organizationId: 1 }, { text: 'other' }));
    await begun.promise;
    writer.note(noted({ callId: 1, organizationId: 1 }, { text: 'new' }));
    answered.resolve();
    await until('the entries', async () => written.flat().length > 1);
    await writer.close();
    expect(
      written
        .flat()
        .map(({ place, entry }) => `${place.callId} ${'text' in entry ? entry.text : ''}`)
        .toSorted((left, right) => left.localeCompare(right)),
    ).toEqual(['1 new', '2 other']);
  });

  test('never stops speech when it cannot be written', async () => {
    const call = await world.call({
      definition,
      rules: [answering('tell me', { say: 'All is well.', call: { tool: 'done' } })],
      journal: async () => await Promise.reject(new Error('MySQL is down')),
    });
    const step = await call.step(answer, { pendingLines: [said('tell me')] });
    expect(step).toMatchObject({ lines: [{ text: 'All is well.' }], chosenEdge: 'e' });
  });
});
