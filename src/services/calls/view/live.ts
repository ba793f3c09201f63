import type { DataSource } from 'typeorm';
import type { LiveRun } from '../../../contract/calls.ts';
import { findRow } from '../../../db/rows.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import type { JournalEntryRow } from '../../../db/tables/journal-entries.ts';
import { gatheredContext } from '../../../domain/call/gathered-context.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { liveResults, mergeExtractions } from '../../../domain/extraction/merge.ts';
import { isObject, ownText } from '../../../domain/graph/definition.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { eventsOfCall } from '../finish/call-log.ts';
import { wireCallState } from '../records/mapper.ts';
import type { FeedbackEvent } from '../turns/feedback-events.ts';
import { sortTurns } from '../turns/scene.ts';
import type { CallPlace } from './marks.ts';
import { type SoFar, toLiveRun } from './mapper.ts';
import { type CallParts, checkpointOf, readCallParts } from './parts.ts';

/**
 * What a call has come to so far (contract 6.7): its turns, what is being said, its node and its values. Of an
 * ended call, what its record has. Throws NotFoundError.
 */
export async function getLiveCall({
  ctx: { db, organizationId },
  input: { agentId, callId },
}: {
  ctx: ServiceContext;
  input: { agentId: number; callId: number };
}): Promise<LiveRun> {
  const call = await findRow(db, calls, { id: callId, agentId, organizationId }, { select: ['id'] });
  const run = call === null ? null : liveRun(await partsOf(db, { organizationId, callId }));
  if (run === null) throw new NotFoundError('Workflow run not found');
  return run;
}

/** What a call that goes on has come to. */
export async function soFar({ db }: Pick<ServiceContext, 'db'>, call: CallRow): Promise<SoFar> {
  return goingOn(call, await partsOf(db, { organizationId: call.organizationId, callId: call.id }));
}

async function partsOf(db: DataSource, place: CallPlace): Promise<CallParts> {
  const [parts] = await readCallParts(db, [{ place, mark: null, known: null }]);
  return parts ?? noParts;
}

const noParts: CallParts = {
  call: [],
  seat: [],
  session: [],
  turns: [],
  failures: [],
  found: [],
  journal: [],
  interventions: [],
  nodes: new Map(),
};

/** What a call has come to, from its rows; null without its own row. */
export function liveRun(parts: CallParts): LiveRun | null {
  const [call] = parts.call;
  if (call === undefined) return null;
  const isOver = wireCallState[call.state] === 'completed';
  return toLiveRun(call, {
    ...(isOver ? recorded(call) : goingOn(call, parts)),
    interventions: parts.interventions.map(({ intervened }) => intervened),
    moves: parts.seat[0]?.moves ?? [],
    currentNode: isOver ? null : (parts.nodes.get(checkpointOf(parts).nodeId ?? '') ?? null),
  });
}

function recorded({ gatheredContext: gathered, logs }: CallRow): SoFar {
  const told = logs['realtime_feedback_events'];
  return { gathered, events: Array.isArray(told) ? told.filter(isObject) : [], running: [] };
}

function goingOn(call: CallRow, parts: CallParts): SoFar {
  const checkpoint = checkpointOf(parts);
  const { live } = sortTurns(parts.turns, checkpoint);
  return {
    gathered: gatheredContext({
      base: call.gatheredContext,
      extracted: mergeExtractions(liveResults(checkpoint, parts.found)),
      nodesVisited: checkpoint.nodesVisited,
      outcome: null,
    }),
    events: eventsOfCall({ turns: live, failures: parts.failures, checkpoint }),
    running: heardIn(parts.journal),
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
