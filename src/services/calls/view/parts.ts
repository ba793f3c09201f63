import { In, MoreThan, MoreThanOrEqual, type DataSource } from 'typeorm';
import { acrossOrganizations, findRows } from '../../../db/rows.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { callSeats, type CallSeatRow } from '../../../db/tables/call-seats.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { extractions, type ExtractionRow } from '../../../db/tables/extractions.ts';
import { failedTurns, type FailedTurnRow } from '../../../db/tables/failed-turns.ts';
import { journalEntries, type JournalEntryRow } from '../../../db/tables/journal-entries.ts';
import { textSessions, type TextSessionRow } from '../../../db/tables/text-sessions.ts';
import { turns, type TurnRow } from '../../../db/tables/turns.ts';
import { initialCheckpoint, type Checkpoint } from '../../../domain/call/checkpoint.ts';
import { nodesOf, ownObject, ownText, type Definition } from '../../../domain/graph/definition.ts';
import { interventionsIn, type CallIntervention } from '../intervene/interventions.ts';
import type { CallMark, CallPlace } from './marks.ts';

/** The rows that show what a call has come to so far. */
export interface CallParts {
  /** One row, or none if there is no such call in the organization. */
  call: CallRow[];
  /** One row for a spoken call that had a seat at a media host. */
  seat: CallSeatRow[];
  /** One row for a text session. */
  session: TextSessionRow[];
  turns: TurnRow[];
  failures: FailedTurnRow[];
  found: ExtractionRow[];
  /** What the hosts noted behind the last turn. */
  journal: JournalEntryRow[];
  interventions: CallIntervention[];
  /** Names of the nodes of its version, by their ids. */
  nodes: ReadonlyMap<string, string>;
}

/** A call to read, and what is known of it from before. */
export interface Wanted {
  place: CallPlace;
  /** The mark of the call now; null when all is to be read. */
  mark: CallMark | null;
  known: { mark: CallMark; parts: CallParts } | null;
}

/** The checkpoint of the last turn. */
export const checkpointOf = ({ session, turns: all }: Pick<CallParts, 'session' | 'turns'>): Checkpoint =>
  (session[0] ?? all.at(-1))?.checkpoint ?? initialCheckpoint;

/** What is read of a kind of part, for each call. */
interface PartOf<Row> {
  read: (stale: readonly Wanted[]) => Promise<Row[]>;
  callOf: (row: Row) => number;
  /** The rows of a call whose part has not changed. */
  kept: (parts: CallParts) => Row[];
  /** Calls of another kind have no such rows. */
  among?: (each: Wanted) => boolean;
}

/**
 * Reads the parts of calls that have changed since they were read before, and takes the others as they were: one
 * statement for each kind of part, for all calls. One entry for each call that is wanted.
 */
export async function readCallParts(db: DataSource, wanted: readonly Wanted[]): Promise<CallParts[]> {
  const all = acrossOrganizations(db, 'each call is named with its own organization');
  const refreshed = async <Row>(
    part: keyof CallMark,
    { read, callOf, kept, among = () => true }: PartOf<Row>,
  ): Promise<(each: Wanted) => Row[]> => {
    const stale = wanted.filter((each) => isStale(each, part) && among(each));
    const fresh = Map.groupBy(stale.length === 0 ? [] : await read(stale), callOf);
    return (each) =>
      each.known === null || isStale(each, part)
        ? (fresh.get(each.place.callId) ?? [])
        : kept(each.known.parts);
  };

  const call = await refreshed<CallRow>('call', {
    read: (stale) =>
      findRows(
        all,
        calls,
        stale.map(({ place: { organizationId, callId: id } }) => ({ organizationId, id })),
      ),
    callOf: ({ id }) => id,
    kept: (parts) => parts.call,
  });
  const isText = (each: Wanted): boolean => call(each)[0]?.channel === 'text';
  const seat = await refreshed<CallSeatRow>('call', {
    read: (stale) => findRows(all, callSeats, stale.map(refOf)),
    callOf,
    kept: (parts) => parts.seat,
    among: (each) => !isText(each),
  });
  const session = await refreshed<TextSessionRow>('session', {
    read: (stale) => findRows(all, textSessions, stale.map(refOf)),
    callOf,
    kept: (parts) => parts.session,
    among: isText,
  });
  const added = await refreshed<TurnRow>('turns', {
    read: (stale) =>
      findRows(
        all,
        turns,
        stale.map((each) => ({
          ...refOf(each),
          id: MoreThan(Math.max(0, ...keptTurns(each).map(({ id }) => id))),
        })),
        { order: { id: 'ASC' } },
      ),
    callOf,
    kept: () => [],
  });
  const said = (each: Wanted): TurnRow[] => [...keptTurns(each), ...added(each)].toSorted(inOrder);
  const last = (each: Wanted): number =>
    checkpointOf({ session: session(each), turns: said(each) }).turnIndex;
  const failures = await refreshed<FailedTurnRow>('failures', {
    read: (stale) => findRows(all, failedTurns, stale.map(refOf)),
    callOf,
    kept: (parts) => parts.failures,
  });
  const found = await refreshed<ExtractionRow>('found', {
    read: (stale) => findRows(all, extractions, stale.map(refOf)),
    callOf,
    kept: (parts) => parts.found,
  });
  const journal = await refreshed<JournalEntryRow>('journal', {
    read: (stale) =>
      findRows(
        all,
        journalEntries,
        stale.map((each) => ({ ...refOf(each), turnIndex: MoreThanOrEqual(last(each)) })),
      ),
    callOf,
    kept: (parts) => parts.journal,
    among: (each) => !isText(each),
  });
  const interventions = await refreshed('interventions', {
    read: async (stale) =>
      (await Promise.all(stale.map(async (each) => await interventionsIn(db, refOf(each))))).flat(),
    callOf,
    kept: (parts) => parts.interventions,
  });
  const nodes = await nodesOfVersions(db, wanted, call);
  return wanted.map((each) => ({
    call: call(each),
    seat: seat(each),
    session: session(each),
    turns: said(each),
    failures: failures(each),
    found: found(each),
    journal: journal(each).filter(isBehind(last(each))),
    interventions: interventions(each),
    nodes: nodes(each),
  }));
}

/** What was noted behind that turn. Words that ended the turn begin the next one. */
const isBehind =
  (last: number) =>
  ({ kind, turnIndex }: JournalEntryRow): boolean =>
    turnIndex > last || (kind === 'utterance' && turnIndex === last);

const refOf = ({ place: { organizationId, callId } }: Wanted) => ({ organizationId, callId });
const callOf = ({ callId }: { callId: number }): number => callId;

/** Whether that part has changed, or is not known. With the call's own part, all have. */
function isStale({ mark, known }: Wanted, part: keyof CallMark): boolean {
  return mark === null || known === null || mark[part] !== known.mark[part] || mark.call !== known.mark.call;
}

const inOrder = (left: TurnRow, right: TurnRow): number =>
  left.branch - right.branch || left.turnIndex - right.turnIndex;

/** Turns are only added, except by an erasure, which changes the call's own part. */
const keptTurns = (each: Wanted): TurnRow[] =>
  each.known === null || isStale(each, 'call') ? [] : each.known.parts.turns;

/** The names of the nodes of each call's version. */
async function nodesOfVersions(
  db: DataSource,
  wanted: readonly Wanted[],
  call: (each: Wanted) => CallRow[],
): Promise<(each: Wanted) => CallParts['nodes']> {
  const ids = wanted.flatMap((each) =>
    each.known === null ? call(each).map(({ versionId }) => versionId) : [],
  );
  const all = acrossOrganizations(db, 'the versions of calls that were found in their own organization');
  const versions =
    ids.length === 0
      ? []
      : await findRows(all, agentVersions, { id: In([...new Set(ids)]) }, { select: ['id', 'definition'] });
  const names = new Map(versions.map(({ id, definition }) => [id, nodeNames(definition)]));
  return (each) =>
    each.known?.parts.nodes ?? names.get(call(each)[0]?.versionId ?? 0) ?? new Map<string, string>();
}

const nodeNames = (definition: Definition): CallParts['nodes'] =>
  new Map(
    nodesOf(definition).map((node) => [
      ownText(node, 'id') ?? '',
      ownText(ownObject(node, 'data'), 'name') ?? '',
    ]),
  );
