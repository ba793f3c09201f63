import { readClientState } from '../../../src/domain/telephony/client-state.ts';
import type { LogEntry } from '../../../test/support/phone-service.ts';

/** A call whose host was killed, and whose agent was heard again. Timestamps are milliseconds since 1970. */
export interface Loss {
  legId: string;
  killedAt: number;
  heardAgainAt: number;
}

/** An event of the call's Workflow, from its history. */
export interface CallEvent {
  at: number;
  kind: 'signaled' | 'scheduled' | 'done';
  /** Of the signal or the activity. */
  name: string;
}

/** One after the other; together they are the silence. */
export const parts = ['signaled', 'given_up', 'seated', 'streaming', 'heard'] as const;

export type Part = (typeof parts)[number];

/** Who was speaking at the kill; during silence, whose turn was next. */
export const floors = ['agent', 'person', 'agent_next', 'person_next'] as const;

export type Floor = (typeof floors)[number];

/** The parts of a silence, in milliseconds. */
export interface SplitSilence {
  floor: Floor;
  silenceMs: number;
  /** How long the person spoke during the silence. */
  personMs: number;
  /** Name of the signal that reported the loss to the call. */
  reportedBy: string;
  parts: Record<Part, number>;
}

/** Null when the history lacks a part, for example when the call learned of the loss without a signal. */
export function splitSilence(
  { legId, killedAt, heardAgainAt }: Loss,
  entries: readonly LogEntry[],
  callEvents: readonly CallEvent[],
): SplitSilence | null {
  const leg = entries.filter((each) => each.legId === legId);
  const within = callEvents.filter(({ at }) => at >= killedAt && at <= heardAgainAt);
  const signaled = within.find(({ kind }) => kind === 'signaled');
  const scheduled = within.find(({ kind, name }) => kind === 'scheduled' && name === 'claimSeat');
  const seated = within.findLast(({ kind, name }) => kind === 'done' && name === 'claimSeat');
  const streaming = leg.findLast(
    ({ type, what, at }) => type === 'stream' && what === 'started' && at >= killedAt && at <= heardAgainAt,
  );
  if (signaled === undefined || scheduled === undefined || seated === undefined || streaming === undefined)
    return null;
  return {
    floor: floorAt(leg, killedAt),
    silenceMs: heardAgainAt - killedAt,
    personMs: spokenBetween(leg, killedAt, heardAgainAt),
    reportedBy: signaled.name,
    parts: {
      signaled: signaled.at - killedAt,
      given_up: scheduled.at - signaled.at,
      seated: seated.at - scheduled.at,
      streaming: streaming.at - seated.at,
      heard: heardAgainAt - streaming.at,
    },
  };
}

/** The calls of these legs, by their uuids. */
export function callsOfLegs(entries: readonly LogEntry[]): Map<string, string> {
  return new Map(
    entries.flatMap(({ type, state, legId, clientState }) => {
      const reference =
        type === 'leg' && state === 'ringing' && typeof clientState === 'string'
          ? readClientState(clientState)?.reference
          : undefined;
      return legId === undefined || reference === undefined
        ? []
        : [[legId, reference.slice(0, uuidLength)] as const];
    }),
  );
}

const uuidLength = 36;

/** A character is recognized about this long after it was heard; the last one before a kill ends there. */
const understandingMs = 150;

function floorAt(leg: readonly LogEntry[], atMs: number): Floor {
  const heard = leg
    .filter((each) => each.type === 'heard')
    .map(({ beganAt, endedAt }) => ({ from: Number(beganAt) - understandingMs, to: Number(endedAt) }));
  const said = saidIn(leg);
  if (said.some(({ from, to }) => from <= atMs && atMs <= to)) return 'person';
  if (heard.some(({ from, to }) => from <= atMs && atMs <= to + understandingMs)) return 'agent';
  const lastEnd = (spans: readonly Span[]) =>
    Math.max(...spans.filter(({ to }) => to <= atMs).map(({ to }) => to), 0);
  return lastEnd(said) > lastEnd(heard) ? 'agent_next' : 'person_next';
}

interface Span {
  from: number;
  to: number;
}

function saidIn(leg: readonly LogEntry[]): Span[] {
  return leg.filter(({ type }) => type === 'said').map(({ at, ms }) => ({ from: at, to: at + Number(ms) }));
}

function spokenBetween(leg: readonly LogEntry[], fromMs: number, toMs: number): number {
  return saidIn(leg).reduce(
    (sum, { from, to }) => sum + Math.max(0, Math.min(to, toMs) - Math.max(from, fromMs)),
    0,
  );
}
