import { MoreThan } from 'typeorm';
import type { LiveRun } from '../../../contract/calls.ts';
import { findRow, findRows } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { extractions } from '../../../db/tables/extractions.ts';
import { failedTurns } from '../../../db/tables/failed-turns.ts';
import { journalEntries, type JournalEntryRow } from '../../../db/tables/journal-entries.ts';
import { textSessions } from '../../../db/tables/text-sessions.ts';
import { initialCheckpoint } from '../../../domain/call/checkpoint.ts';
import { gatheredContext } from '../../../domain/call/gathered-context.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { liveResults, mergeExtractions } from '../../../domain/extraction/merge.ts';
import { isObject, ownText } from '../../../domain/graph/definition.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { eventsOfCall } from '../finish/call-log.ts';
import type { FeedbackEvent } from '../turns/feedback-events.ts';
import { loadAllTurns, sortTurns } from '../turns/scene.ts';
import { currentNodes } from '../usage/current-nodes.ts';
import { wireCallState } from '../records/mapper.ts';
import { type SoFar, toLiveRun } from './mapper.ts';

/**
 * What a call has come to so far (contract 6.7): its turns, what is being said, its node and its values. Of an
 * ended call, what its record has. Throws NotFoundError.
 */
export async function getLiveCall({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { agentId: number; callId: number };
}): Promise<LiveRun> {
  const where = { id: input.callId, agentId: input.agentId, organizationId: ctx.organizationId };
  const call = await findRow(ctx.db, calls, where);
  if (call === null) throw new NotFoundError('Workflow run not found');
  return await liveRun(ctx, call);
}

export async function liveRun(
  ctx: Pick<ServiceContext, 'db' | 'organizationId'>,
  call: CallRow,
): Promise<LiveRun> {
  const isOver = wireCallState[call.state] === 'completed';
  const soFarOfCall = isOver ? recorded(call) : await soFar(ctx, call);
  const nodes = await currentNodes(ctx, [call]);
  return toLiveRun(call, { ...soFarOfCall, currentNode: nodes.get(call.id) ?? null });
}

function recorded({ gatheredContext: gathered, logs }: CallRow): SoFar {
  const told = logs['realtime_feedback_events'];
  return { gathered, events: Array.isArray(told) ? told.filter(isObject) : [], running: [] };
}

/** What a call that goes on has come to. */
export async function soFar({ db }: Pick<ServiceContext, 'db'>, call: CallRow): Promise<SoFar> {
  const ref = { callId: call.id, organizationId: call.organizationId };
  const session = call.channel === 'text' ? await findRow(db, textSessions, ref) : null;
  const turns = await loadAllTurns({ db }, ref);
  const checkpoint = (session ?? turns.at(-1))?.checkpoint ?? initialCheckpoint;
  const { live } = sortTurns(turns, checkpoint);
  const failures = await findRows(db, failedTurns, ref);
  const found = await findRows(db, extractions, ref);
  const later = { ...ref, turnIndex: MoreThan(checkpoint.turnIndex) };
  return {
    gathered: gatheredContext({
      base: call.gatheredContext,
      extracted: mergeExtractions(liveResults(checkpoint, found)),
      nodesVisited: checkpoint.nodesVisited,
      outcome: null,
    }),
    events: eventsOfCall({ turns: live, failures, checkpoint }),
    running: call.channel === 'text' ? [] : heardIn(await findRows(db, journalEntries, later)),
  };
}

/**
 * What person and agent have said according to the journal, in the order of its sound. Hosts that follow one
 * another may note the same words of the person.
 */
function heardIn(entries: readonly JournalEntryRow[]): FeedbackEvent[] {
  const events = entries.flatMap(eventOf).toSorted((one, other) => compare(one.timestamp, other.timestamp));
  const once = new Map(events.map((event) => [JSON.stringify([event.type, event.payload]), event]));
  return [...once.values()];
}

function eventOf({ kind, turnIndex: turn, ...entry }: JournalEntryRow): FeedbackEvent[] {
  switch (kind) {
    case 'clause': {
      if (entry.sentAt === null) return [];
      const timestamp = entry.sentAt.toISOString();
      const end = entry.playedAt === null ? {} : { end_timestamp: entry.playedAt.toISOString() };
      const text = entry.heardText ?? entry.text ?? '';
      return [{ type: 'rtf-bot-text', payload: { text, timestamp, ...end }, timestamp, turn }];
    }
    case 'utterance': {
      const [timestamp, end] = [
        ownText(entry.data ?? {}, 'startedAt') ?? '',
        ownText(entry.data ?? {}, 'endedAt'),
      ];
      const payload = { text: entry.text ?? '', final: true, timestamp, end_timestamp: end };
      return [{ type: 'rtf-user-transcription', payload, timestamp, turn }];
    }
    case 'decision':
      return [];
  }
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
