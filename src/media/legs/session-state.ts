import type { GoneReason } from '../leg.ts';

/**
 * A call's place at this host: seated → connected → live → over. Pure: who owns the socket reports what
 * happened and does what the new state asks for. Moments are milliseconds of the monotonic clock.
 */
export type SessionState =
  /** A place is kept; no socket has come. */
  | { kind: 'seated'; sinceMs: number }
  /**
   * A socket proved itself; the other end has not said what it will send. A carrier says that when the person
   * answers.
   */
  | { kind: 'connected'; sinceMs: number }
  | { kind: 'live'; sinceMs: number; lastFrameMs: number }
  | { kind: 'over'; reason: GoneReason };

export type SessionEvent =
  | { kind: 'connected'; atMs: number }
  | { kind: 'began'; atMs: number }
  | { kind: 'heard'; atMs: number }
  /** The other end said that the stream is over. */
  | { kind: 'stopped' }
  | { kind: 'closed' }
  /** A newer generation has the call, or this host has lost its lease. */
  | { kind: 'overtaken' }
  /** The call needs its place no more. */
  | { kind: 'released' }
  | { kind: 'looked_at'; atMs: number };

/** How long each state may last without news, in milliseconds. */
export interface SessionLimits {
  /** From the seat to the socket: a carrier opens it when it dials, so this is short. */
  seatedMs: number;
  /** From the socket to media: as long as a phone may ring. */
  connectedMs: number;
  /** Between two frames of a live stream. */
  silentMs: number;
}

/**
 * The state after an event; the same object when nothing changes. What is over stays over, by its first
 * reason.
 */
export function nextState(state: SessionState, event: SessionEvent, limits: SessionLimits): SessionState {
  if (state.kind === 'over') return state;
  switch (event.kind) {
    case 'connected':
      return state.kind === 'seated' ? { kind: 'connected', sinceMs: event.atMs } : state;
    case 'began':
      return state.kind === 'connected'
        ? { kind: 'live', sinceMs: event.atMs, lastFrameMs: event.atMs }
        : state;
    case 'heard':
      return state.kind === 'live' ? { ...state, lastFrameMs: event.atMs } : state;
    case 'stopped':
      return { kind: 'over', reason: 'stopped' };
    case 'closed':
      // Without a socket nothing can close: a place that is kept waits for the next one.
      return state.kind === 'seated' ? state : { kind: 'over', reason: 'closed' };
    case 'overtaken':
      return { kind: 'over', reason: 'fenced' };
    case 'released':
      return { kind: 'over', reason: 'released' };
    case 'looked_at':
      return isOverdue(state, event.atMs, limits)
        ? { kind: 'over', reason: state.kind === 'live' ? 'silent_socket' : 'released' }
        : state;
  }
}

function isOverdue(
  state: Exclude<SessionState, { kind: 'over' }>,
  atMs: number,
  { seatedMs, connectedMs, silentMs }: SessionLimits,
): boolean {
  switch (state.kind) {
    case 'seated':
      return atMs - state.sinceMs > seatedMs;
    case 'connected':
      return atMs - state.sinceMs > connectedMs;
    case 'live':
      return atMs - state.lastFrameMs > silentMs;
  }
}
