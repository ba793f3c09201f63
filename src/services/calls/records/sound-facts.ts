import { IsNull, Not } from 'typeorm';
import { findRow, findRows } from '../../../db/rows.ts';
import { callSeats } from '../../../db/tables/call-seats.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import { journalEntries } from '../../../db/tables/journal-entries.ts';
import { isObject, ownText } from '../../../domain/graph/definition.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/**
 * `logs.sound` of a spoken call (contract 6.7): when its media began, and when the agent was first heard. Nothing before
 * its media began. `logs` has the events of its turns.
 */
export async function soundFacts(
  { db }: ServiceContext,
  { id: callId, organizationId }: Pick<CallRow, 'id' | 'organizationId'>,
  logs: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const seat = await findRow(db, callSeats, { callId, organizationId });
  if (seat?.mediaBeganAt == null) return {};
  // The first turn is in the journal until it is committed.
  const [spoken] = await findRows(
    db,
    journalEntries,
    { callId, organizationId, kind: 'clause', sentAt: Not(IsNull()) },
    { order: { sentAt: 'ASC' }, take: 1 },
  );
  const firstSoundAt = spoken?.sentAt?.toISOString() ?? firstSpokenIn(logs);
  return { sound: { media_began_at: seat.mediaBeganAt.toISOString(), first_sound_at: firstSoundAt ?? null } };
}

function firstSpokenIn(logs: Readonly<Record<string, unknown>>): string | undefined {
  const told = logs['realtime_feedback_events'];
  const events = Array.isArray(told) ? told.filter(isObject) : [];
  const first = events.find((event) => event['type'] === 'rtf-bot-started-speaking');
  return first === undefined ? undefined : ownText(first, 'timestamp');
}
