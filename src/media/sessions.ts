import { AppError } from '../domain/errors.ts';
import type { GoneReason, VoiceLeg } from './leg.ts';
import { nextState, type SessionEvent, type SessionLimits, type SessionState } from './legs/session-state.ts';

/**
 * The calls that have a place at this host, one session each.
 *
 * S1. A call has at most one session; a place of a higher generation ends the one before (`fenced`), one of a
 * lower generation is refused. S2. A session ends once, by its first reason; then its socket is closed, its
 * leg says so, and nothing of it is kept. S3. Whoever waits for a stream is answered: by the leg, by
 * NoLegError, or by their own signal.
 */

/**
 * There is no stream for what was asked: it is over, or a newer generation has the call, or it was never
 * placed here.
 */
export class NoLegError extends AppError {
  readonly reason: GoneReason | 'unknown';

  constructor(reason: GoneReason | 'unknown') {
    super('precondition', `The call has no stream here: ${reason}`);
    this.reason = reason;
  }
}

/** The calls that are seated at this host, as the conversation sees them. */
export interface LiveLegs {
  /**
   * The stream of a call as soon as it is live: at once when it is. Rejects with NoLegError when it is over
   * or not seated here, and with the signal's reason when that is aborted first.
   */
  whenLive(callId: number, generation: number, signal: AbortSignal): Promise<VoiceLeg>;
}

export interface SeatedCall {
  callId: number;
  organizationId: number;
  generation: number;
}

/** A leg whose end the sessions bring about. */
export interface OwnedLeg extends VoiceLeg {
  /** Tells listeners, stops the playout and the recording. */
  end(reason: GoneReason): void;
}

export interface Session extends SeatedCall {
  readonly state: SessionState;
  /**
   * A socket proved itself. `close` is called when the session ends. False when the session has a socket, or
   * is over.
   */
  connect(close: (reason: GoneReason) => void): boolean;
  /** Media began: the leg is given to whoever waits. */
  begin(leg: OwnedLeg): void;
  report(
    event: Extract<SessionEvent, { kind: 'heard' | 'stopped' | 'closed' | 'overtaken' | 'released' }>,
  ): void;
}

export interface Sessions extends LiveLegs {
  /** Keeps a place. Null when the call has one of a higher generation here. */
  seat(call: SeatedCall): Session | null;
  /** The session of exactly this generation. */
  find(callId: number, generation: number): Session | null;
  all(): Session[];
  /** Looks for sessions whose time is over. */
  watch(): void;
}

export interface SessionsOptions {
  limits: SessionLimits;
  now?: () => number;
  /** Told once of each session that ends. */
  onOver?: (session: Session, reason: GoneReason) => void;
}

interface Entry extends Session {
  end(reason: GoneReason): void;
  apply(event: SessionEvent): void;
  wait(signal: AbortSignal): Promise<VoiceLeg>;
}

export function createSessions({
  limits,
  now = () => performance.now(),
  onOver = () => undefined,
}: SessionsOptions): Sessions {
  const entries = new Map<number, Entry>();

  const forget = (entry: Entry, reason: GoneReason) => {
    // guarantee: call-ended-leaves-nothing
    if (entries.get(entry.callId) === entry) entries.delete(entry.callId);
    onOver(entry, reason);
  };

  return {
    seat(call) {
      const known = entries.get(call.callId);
      if (known !== undefined && known.generation > call.generation) return null;
      if (known?.generation === call.generation) return known;
      known?.apply({ kind: 'overtaken' });
      const entry = createEntry({ call, limits, now, onEnd: forget });
      entries.set(call.callId, entry);
      return entry;
    },
    find(callId, generation) {
      const entry = entries.get(callId);
      return entry?.generation === generation ? entry : null;
    },
    all: () => [...entries.values()],
    watch() {
      for (const entry of entries.values()) entry.apply({ kind: 'looked_at', atMs: now() });
    },
    async whenLive(callId, generation, signal) {
      signal.throwIfAborted();
      const entry = entries.get(callId);
      if (entry === undefined) throw new NoLegError('unknown');
      if (entry.generation !== generation)
        throw new NoLegError(entry.generation > generation ? 'fenced' : 'unknown');
      return await entry.wait(signal);
    },
  };
}

interface EntryOptions extends Pick<Required<SessionsOptions>, 'limits' | 'now'> {
  call: SeatedCall;
  onEnd: (entry: Entry, reason: GoneReason) => void;
}

function createEntry({ call, limits, now, onEnd }: EntryOptions): Entry {
  let state: SessionState = { kind: 'seated', sinceMs: now() };
  let closeSocket: ((reason: GoneReason) => void) | null = null;
  let leg: OwnedLeg | null = null;
  const waiting = new Set<{ resolve: (leg: VoiceLeg) => void; reject: (error: unknown) => void }>();

  const entry: Entry = {
    ...call,
    get state() {
      return state;
    },
    connect(close) {
      if (state.kind !== 'seated') return false;
      closeSocket = close;
      entry.apply({ kind: 'connected', atMs: now() });
      return true;
    },
    begin(begun) {
      if (state.kind !== 'connected') return;
      leg = begun;
      entry.apply({ kind: 'began', atMs: now() });
      for (const { resolve } of waiting) resolve(begun);
      waiting.clear();
    },
    report: (event) => entry.apply(event),
    apply(event) {
      const before = state;
      state = nextState(state, event, limits);
      if (state.kind === 'over' && before.kind !== 'over') entry.end(state.reason);
    },
    end(reason) {
      for (const { reject } of waiting) reject(new NoLegError(reason));
      waiting.clear();
      closeSocket?.(reason);
      leg?.end(reason);
      onEnd(entry, reason);
    },
    wait(signal) {
      if (leg !== null) return Promise.resolve(leg);
      return new Promise((resolve, reject) => {
        const waiter = { resolve: done(resolve), reject: done(reject) };
        const onAbort = () => {
          waiting.delete(waiter);
          reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
        };
        function done<T>(settle: (value: T) => void): (value: T) => void {
          return (value) => {
            signal.removeEventListener('abort', onAbort);
            settle(value);
          };
        }
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.add(waiter);
      });
    },
  };
  return entry;
}
