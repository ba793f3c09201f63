import { AppError } from '../domain/errors.ts';
import type { GoneReason, VoiceLeg } from './leg.ts';
import { nextState, type SessionEvent, type SessionLimits, type SessionState } from './legs/session-state.ts';

/**
 * The sessions of this host: one for each call that has a seat here.
 *
 *  - S1. A call has at most one session. A seat of a higher generation ends the session of a lower one
 *    (`fenced`); a seat of a lower generation is refused.
 *  - S2. A session ends once, for its first reason. Its socket is then closed, its leg reports the end, and
 *    the host forgets it.
 *  - S3. Every wait for a stream ends: with the leg, with NoLegError, or with the signal of the wait.
 */

/**
 * The call has no stream here: the stream is over, a newer generation has the call, or the call has no seat
 * at this host.
 */
export class NoLegError extends AppError {
  readonly reason: GoneReason | 'unknown';

  constructor(reason: GoneReason | 'unknown') {
    super('precondition', `The call has no stream here: ${reason}`);
    this.reason = reason;
  }
}

/** The seated calls of this host, as conversations see them. */
export interface LiveLegs {
  /**
   * The stream of a call, as soon as it is live. Rejects with NoLegError if the stream is over or the call
   * has no seat here, and with the signal's reason after an abort.
   */
  whenLive(callId: number, generation: number, signal: AbortSignal): Promise<VoiceLeg>;
  /** Calls the listener for every stream that becomes live from now on. */
  onLive(listener: (call: SeatedCall, leg: VoiceLeg) => void): void;
}

export interface SeatedCall {
  callId: number;
  organizationId: number;
  generation: number;
}

/** A leg that the sessions can end. */
export interface OwnedLeg extends VoiceLeg {
  /** Stops the playout and the recording, and tells the listeners why. */
  end(reason: GoneReason): void;
}

export interface Session extends SeatedCall {
  readonly state: SessionState;
  /**
   * Attaches an authenticated socket. `close` is called when the session ends. Returns false if the session
   * has a socket already or is over.
   */
  connect(close: (reason: GoneReason) => void): boolean;
  /** Media flow: resolves the waits for the leg. */
  begin(leg: OwnedLeg): void;
  report(
    event: Extract<SessionEvent, { kind: 'heard' | 'stopped' | 'closed' | 'overtaken' | 'released' }>,
  ): void;
}

export interface Sessions extends LiveLegs {
  /** Takes a seat for a call. Null if the call has a seat of a higher generation here. */
  seat(call: SeatedCall): Session | null;
  /** The session of this generation. */
  find(callId: number, generation: number): Session | null;
  all(): Session[];
  /** Ends the sessions whose time is over. */
  watch(): void;
}

export interface SessionsOptions {
  limits: SessionLimits;
  now?: () => number;
  /** Called once when a session ends. */
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
  const listeners: ((call: SeatedCall, leg: VoiceLeg) => void)[] = [];

  const forget = (entry: Entry, reason: GoneReason) => {
    // guarantee: ended-call-frees-media-host
    if (entries.get(entry.callId) === entry) entries.delete(entry.callId);
    onOver(entry, reason);
  };

  return {
    seat(call) {
      const known = entries.get(call.callId);
      if (known !== undefined && known.generation > call.generation) return null;
      if (known?.generation === call.generation) return known;
      known?.apply({ kind: 'overtaken' });
      const onLive = (leg: VoiceLeg) => listeners.forEach((listener) => listener(call, leg));
      const entry = createEntry({ call, limits, now, onLive, onEnd: forget });
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
    onLive: (listener) => void listeners.push(listener),
  };
}

interface EntryOptions extends Pick<Required<SessionsOptions>, 'limits' | 'now'> {
  call: SeatedCall;
  onLive: (leg: VoiceLeg) => void;
  onEnd: (entry: Entry, reason: GoneReason) => void;
}

function createEntry({ call, limits, now, onLive, onEnd }: EntryOptions): Entry {
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
      onLive(begun);
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
