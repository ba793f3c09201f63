import { pause } from '../../runtime/pause.ts';
import type { FixedLine } from '../../domain/speech/fixed-lines.ts';
import type { Scene } from '../../services/calls/index.ts';
import type { VoiceLeg } from '../leg.ts';
import type { CallSounds } from './call-sounds.ts';
import type { SpeakingDeps } from './ports.ts';

/** Who asks for the steps of calls: the workers, by the calls' Workflows. */
export interface CallDrivers {
  /** The task of the call that waits for a worker; null if none does. Rejects if Temporal cannot be asked. */
  waitingTask(callUuid: string): Promise<string | null>;
  /** Hangs up a call that no one serves, and notes that in its Workflow for later. */
  giveUp(call: GivenUpCall): Promise<void>;
}

export interface GivenUpCall {
  callId: number;
  callUuid: string;
  organizationId: number;
  generation: number;
  isWeb: boolean;
}

export interface AbsenceTimes {
  /** Silence after a step before anyone is asked. */
  patienceMs: number;
  lookAgainMs: number;
  lineAgainMs: number;
  /** How long a person is kept in the call without a worker. */
  limitMs: number;
}

export const absenceTimes: AbsenceTimes = {
  patienceMs: 3000,
  lookAgainMs: 1500,
  lineAgainMs: 20_000,
  limitMs: 60_000,
};

/** A call on a live stream that waits for its next step. */
export interface WaitingCall {
  readonly deps: Pick<SpeakingDeps, 'drivers' | 'absenceTimes' | 'nowMs' | 'log'>;
  readonly leg: VoiceLeg;
  readonly ref: { callId: number; generation: number };
  /** Which call it is, and its fixed lines. Rejects if that must be read and MySQL is down. */
  facts(): Promise<{
    call: Pick<Scene['call'], 'uuid' | 'organizationId' | 'channel'>;
    sounds: Pick<CallSounds, 'madeClip'>;
  }>;
  nextClauseId(): number;
}

/** Looks in a row that must find the same task without a worker. A busy worker takes long, but it takes each task once. */
const looksNeeded = 2;
/** Maximum wait for the end of the goodbye. */
const goodbyeMs = 10_000;
/** Maximum wait for the end of a line when the call leaves the host; such lines are short. */
const lineMs = 3000;

/**
 * What follows a step: words that a person waits for (`words`), a decision of the Workflow that no one waits
 * for (`decision`), or only the hang-up (`end`).
 */
type Following = 'words' | 'decision' | 'end';

/**
 * Serves a caller while no worker asks for the next step, because all are dead or Temporal is away. The
 * host says a fixed line, holds the call until a worker is back, and finally says goodbye and hangs up itself.
 * Tools, transfers and other waits of a served call do not concern it.
 */
export class Absence {
  readonly #call: WaitingCall;
  readonly #times: AbsenceTimes;
  #waiting: AbortController | null = null;
  #following: Following = 'words';
  /** When the line was last said since the step. */
  #saidAtMs = -Infinity;

  constructor(call: WaitingCall) {
    this.#call = call;
    this.#times = { ...absenceTimes, ...call.deps.absenceTimes };
  }

  /** A step has ended. Nothing is said while no one waits for words. */
  begin(following: Following): void {
    this.#following = following;
    this.#saidAtMs = -Infinity;
    this.#watch();
  }

  /** The next step has come, or the call is over. */
  end(): void {
    this.#waiting?.abort();
    this.#waiting = null;
  }

  /**
   * The call is about to leave this host, so a worker is there: resolves when the person has heard the line
   * that has begun, at once without one. Waits again for the next step, which follows if the call stays.
   */
  async finish(signal: AbortSignal): Promise<void> {
    if (this.#waiting !== null) this.#watch();
    // guarantee: line-without-worker-said-to-its-end
    await this.#silent(lineMs, signal);
  }

  #watch(): void {
    this.end();
    this.#waiting = new AbortController();
    const { signal } = this.#waiting;
    this.#wait(this.#following, signal).catch((error: unknown) =>
      this.#call.deps.log.warn(
        { err: error, ...this.#call.ref },
        'The lines for a call without a worker failed',
      ),
    );
  }

  async #wait(following: Following, signal: AbortSignal): Promise<void> {
    const { patienceMs, lookAgainMs, lineAgainMs, limitMs } = this.#times;
    let [servedAtMs, looks, seen] = [this.#now(), 0, ''];
    for (let pauseMs = patienceMs; ; pauseMs = lookAgainMs) {
      await pause(pauseMs, signal);
      if (signal.aborted) return;
      const task = await this.#waitingTask(seen);
      if (signal.aborted) return;
      if (task === null || (seen !== '' && task !== seen)) [servedAtMs, looks] = [this.#now(), 0];
      if (task !== null) looks += 1;
      seen = task ?? '';
      if (looks < looksNeeded) continue;
      if (following === 'end' || this.#now() - servedAtMs >= limitMs)
        return await this.#leave(following, signal);
      if (following === 'decision' || this.#now() - this.#saidAtMs < lineAgainMs) continue;
      this.#saidAtMs = this.#now();
      // guarantee: caller-without-worker-hears-line
      await this.#say('one_moment', signal);
    }
  }

  /** The task that waits for a worker; presumably the one seen before, if Temporal cannot be asked. */
  async #waitingTask(seen: string): Promise<string | null> {
    try {
      const { call } = await this.#call.facts();
      return await this.#call.deps.drivers.waitingTask(call.uuid);
    } catch {
      return seen;
    }
  }

  async #leave(following: Following, signal: AbortSignal): Promise<void> {
    const { deps, ref } = this.#call;
    deps.log.error(ref, 'No worker has asked for the next step of a call; the media host hangs up');
    if (following === 'words' && (await this.#say('goodbye_fault', signal)))
      await this.#silent(goodbyeMs, signal);
    while (!signal.aborted) {
      // guarantee: host-hangs-up-without-worker
      await this.#giveUp().catch((error: unknown) =>
        deps.log.warn({ err: error, ...ref }, 'A call could not be hung up'),
      );
      await pause(this.#times.lookAgainMs, signal);
    }
  }

  async #giveUp(): Promise<void> {
    const { deps, ref } = this.#call;
    const { uuid: callUuid, organizationId, channel } = (await this.#call.facts()).call;
    await deps.drivers.giveUp({ ...ref, callUuid, organizationId, isWeb: channel === 'web' });
  }

  /** Plays a fixed line; false if it has no sound. */
  async #say(name: FixedLine, signal: AbortSignal): Promise<boolean> {
    const facts = await this.#call.facts().catch(() => null);
    const line = (await facts?.sounds.madeClip(name, signal)) ?? null;
    if (line === null || signal.aborted) return false;
    this.#call.leg.playout.add({ clauseId: this.#call.nextClauseId(), samples: line.samples, isLast: true });
    return true;
  }

  async #silent(limitMs: number, signal: AbortSignal): Promise<void> {
    const { playout } = this.#call.leg;
    const ended = new AbortController();
    const stop = playout.on(({ kind }) => (kind === 'drained' ? ended.abort() : undefined));
    if (!playout.isIdle) await pause(limitMs, AbortSignal.any([signal, ended.signal]));
    stop();
  }

  #now(): number {
    return this.#call.deps.nowMs();
  }
}
