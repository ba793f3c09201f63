import type { GoneReason } from '../leg.ts';

/**
 * A call's seat at this host: seated → connected → live → over. Pure: the owner of the socket reports events
 * and acts on the new state. Times are milliseconds of the monotonic clock.
 */
export type SessionState =
  /** The call has a seat but no socket yet. */
  | { kind: 'seated'; sinceMs: number }
  /**
   * The socket is authenticated, but the other end has not announced its stream. A carrier does so when the
   * person answers.
   */
  | { kind: 'connected'; sinceMs: number }
  | { kind: 'live'; sinceMs: number; lastFrameMs: number }
  | { kind: 'over'; reason: GoneReason };

export type SessionEvent =
  | { kind: 'connected'; atMs: number }
  | { kind: 'began'; atMs: number }
  | { kind: 'heard'; atMs: number }
  /** The other end ended the stream. */
  | { kind: 'stopped' }
  | { kind: 'closed' }
  /** A newer generation has the call, or this host has lost its lease. */
  | { kind: 'overtaken' }
  /** The call gives up its seat. */
  | { kind: 'released' }
  | { kind: 'looked_at'; atMs: number };

/** Maximum time in each state without an event, in milliseconds. */
export interface SessionLimits {
  /** From the seat to the socket. A carrier opens it when it dials, so this is short. */
  seatedMs: number;
  /** From the socket to media: the maximum time that a phone rings. */
  connectedMs: number;
  /** Between two frames of a live stream. */
  silentMs: number;
}

/**
 * The state after an event; the same object when nothing changes. A session that is over stays over, with its
 * first reason.
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
      // Without a socket, the seat waits for the next one.
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
