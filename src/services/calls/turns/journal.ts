import type { DataSource } from 'typeorm';
import { acrossOrganizations, changeRows, findRows } from '../../../db/rows.ts';
import { journalEntries, type JournalEntryRow } from '../../../db/tables/journal-entries.ts';
import { positionsPerStep, type JournalEntry } from '../../../domain/speech/journal.ts';
import { isLineKind } from '../../../domain/call/line.ts';
import { own, ownText } from '../../../domain/graph/definition.ts';
import type { CallRef } from '../../kernel/index.ts';

/** The place of a step in a call. */
export interface StepPlace extends CallRef {
  turnIndex: number;
  visitIndex: number;
  toolRound: number;
}

/** An entry and the generation of the host that writes it. */
export interface JournalWrite {
  place: StepPlace;
  generation: number;
  entry: JournalEntry;
}

/**
 * Inserts or updates journal entries of many calls in one statement. The statement checks the seat: it skips
 * entries of a host whose call has a later generation, and entries of a call whose seat was released, because
 * its journal was deleted at the end.
 */
export async function writeJournal({
  db,
  writes,
  at,
}: {
  db: DataSource;
  writes: readonly JournalWrite[];
  at: Date;
}): Promise<void> {
  if (writes.length === 0) return;
  const rows = writes.map(
    () =>
      // guarantee: replaced-host-cannot-write-journal
      `SELECT ${columnNames.map(() => '?').join(', ')} FROM call_seats WHERE call_id = ? AND organization_id = ? AND generation = ? AND released_at IS NULL`,
  );
  const values = writes.flatMap((write) => [
    ...valuesOf(write, at),
    write.place.callId,
    write.place.organizationId,
    write.generation,
  ]);
  const changes = ['text', 'data', 'sent_at', 'played_at', 'heard_text', 'written_at'].map(
    (name) => `${name} = VALUES(${name})`,
  );
  await changeRows(
    acrossOrganizations(db, 'a host writes for calls of several organizations, each only for its own seat'),
    {
      sql: `INSERT INTO journal_entries (${columnNames.join(', ')}) ${rows.join(' UNION ALL ')} ON DUPLICATE KEY UPDATE ${changes.join(', ')}`,
      values,
    },
  );
}

const columnNames = [
  'organization_id',
  'call_id',
  'generation',
  'turn_index',
  'visit_index',
  'tool_round',
  'position',
  'kind',
  'text',
  'data',
  'sent_at',
  'played_at',
  'heard_text',
  'written_at',
];

function valuesOf({ place, generation, entry }: JournalWrite, at: Date): unknown[] {
  const { organizationId, callId, turnIndex, visitIndex, toolRound } = place;
  return [
    organizationId,
    callId,
    generation,
    turnIndex,
    visitIndex,
    toolRound,
    entry.position,
    entry.kind,
    ...contentOf(entry),
    at,
  ];
}

function contentOf(entry: JournalEntry): unknown[] {
  switch (entry.kind) {
    case 'clause': {
      const { lineKind, isFiller, recordingId } = entry;
      return [
        entry.text,
        JSON.stringify({ lineKind, isFiller, recordingId }),
        dateOf(entry.sentAt),
        dateOf(entry.playedAt),
        entry.heardText,
      ];
    }
    case 'decision':
      return [null, JSON.stringify(entry.data), null, null, null];
    case 'utterance':
      return [
        entry.text,
        JSON.stringify({ startedAt: entry.startedAt, endedAt: entry.endedAt }),
        null,
        null,
        null,
      ];
  }
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/**
 * The entries that all hosts before `generation` wrote about a step, in the order of generations. `from` is
 * the step's first position.
 */
export async function readJournal({
  db,
  place,
  generation,
  from,
}: {
  db: DataSource;
  place: StepPlace;
  generation: number;
  from: number;
}): Promise<JournalEntry[]> {
  const { callId, organizationId, turnIndex, visitIndex, toolRound } = place;
  const rows = await findRows(
    db,
    journalEntries,
    { callId, organizationId, turnIndex, visitIndex, toolRound },
    { order: { generation: 'ASC', position: 'ASC' } },
  );
  return rows
    .filter(
      (row) => row.generation < generation && row.position >= from && row.position < from + positionsPerStep,
    )
    .map(entryOf);
}

function entryOf({ kind, position, text, data, sentAt, playedAt, heardText }: JournalEntryRow): JournalEntry {
  const noted = data ?? {};
  switch (kind) {
    case 'clause': {
      const lineKind = own(noted, 'lineKind');
      const recordingId = ownText(noted, 'recordingId') ?? null;
      return {
        kind,
        position,
        text: text ?? '',
        lineKind: isLineKind(lineKind) ? lineKind : 'reply',
        isFiller: own(noted, 'isFiller') === true,
        recordingId,
        sentAt: sentAt?.toISOString() ?? null,
        playedAt: playedAt?.toISOString() ?? null,
        heardText,
      };
    }
    case 'decision':
      return { kind, position, data: noted };
    case 'utterance':
      return {
        kind,
        position,
        text: text ?? '',
        startedAt: ownText(noted, 'startedAt') ?? '',
        endedAt: ownText(noted, 'endedAt') ?? '',
      };
  }
}
