import { pause } from '../../runtime/pause.ts';
import type { FixedLine } from '../../domain/speech/fixed-lines.ts';
import type { CallState } from './call-state.ts';

/** Who asks for the steps of calls: the workers, by the calls' Workflows. */
export interface CallDrivers {
  /** Whether someone works on the call. Rejects if Temporal cannot be asked. */
  isServed(callUuid: string): Promise<boolean>;
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
  /** How long a person is kept on the line without a worker. */
  limitMs: number;
}

export const absenceTimes: AbsenceTimes = {
  patienceMs: 3000,
  lookAgainMs: 1500,
  lineAgainMs: 20_000,
  limitMs: 60_000,
};

/** Looks in a row that must find no one, because a healthy Workflow waits for its worker for milliseconds. */
const looksNeeded = 2;
/** Maximum wait for the end of the goodbye. */
const goodbyeMs = 10_000;

/**
 * Keeps a caller company while no worker asks for the next step, because all are dead or Temporal is away. The
 * host says a fixed line, holds the call until a worker is back, and finally says goodbye and hangs up itself.
 * Tools, transfers and other waits of a served call are none of its business.
 */
export class Absence {
  readonly #state: CallState;
  readonly #times: AbsenceTimes;
  #waiting: AbortController | null = null;

  constructor(state: CallState) {
    this.#state = state;
    this.#times = { ...absenceTimes, ...state.deps.absenceTimes };
  }

  /** A step has ended, and the next one is due. After the last words of a call, no further ones follow. */
  begin(hasEnded: boolean): void {
    this.end();
    this.#waiting = new AbortController();
    const { signal } = this.#waiting;
    this.#wait(hasEnded, signal).catch((error: unknown) =>
      this.#state.deps.log.warn({ err: error, ...this.#state.ref }, 'A call cannot be kept company'),
    );
  }

  /** The next step has come, or the call is over. */
  end(): void {
    this.#waiting?.abort();
    this.#waiting = null;
  }

  async #wait(hasEnded: boolean, signal: AbortSignal): Promise<void> {
    const { patienceMs, lookAgainMs, lineAgainMs, limitMs } = this.#times;
    let [servedAtMs, saidAtMs, looks] = [this.#now(), -Infinity, 0];
    for (let pauseMs = patienceMs; ; pauseMs = lookAgainMs) {
      await pause(pauseMs, signal);
      const isServed = signal.aborted || (await this.#isServed());
      if (signal.aborted) return;
      looks = isServed ? 0 : looks + 1;
      if (isServed) servedAtMs = this.#now();
      if (looks < looksNeeded) continue;
      if (hasEnded || this.#now() - servedAtMs >= limitMs) return await this.#leave(hasEnded, signal);
      if (this.#now() - saidAtMs < lineAgainMs) continue;
      saidAtMs = this.#now();
      // guarantee: caller-without-worker-hears-line
      await this.#say('one_moment', signal);
    }
  }

  async #isServed(): Promise<boolean> {
    const { deps, live } = this.#state;
    return await deps.drivers.isServed(live.scene.call.uuid).catch(() => false);
  }

  async #leave(hasEnded: boolean, signal: AbortSignal): Promise<void> {
    const { deps, live, ref } = this.#state;
    deps.log.error(ref, 'No worker has asked for the next step of a call; the media host hangs up');
    if (!hasEnded && (await this.#say('goodbye_fault', signal))) await this.#silent(signal);
    const { uuid: callUuid, organizationId, channel } = live.scene.call;
    while (!signal.aborted) {
      // guarantee: host-hangs-up-without-worker
      await deps.drivers
        .giveUp({ ...ref, callUuid, organizationId, isWeb: channel === 'web' })
        .catch((error: unknown) => deps.log.warn({ err: error, ...ref }, 'A call could not be hung up'));
      await pause(this.#times.lookAgainMs, signal);
    }
  }

  /** Plays a fixed line; false if it has no sound. */
  async #say(name: FixedLine, signal: AbortSignal): Promise<boolean> {
    const { sounds, leg } = this.#state;
    const line = await sounds.madeClip(name, signal);
    if (line === null || signal.aborted) return false;
    leg.playout.add({ clauseId: this.#state.nextClauseId(), samples: line.samples, isLast: true });
    return true;
  }

  async #silent(signal: AbortSignal): Promise<void> {
    const { playout } = this.#state.leg;
    const ended = new AbortController();
    const stop = playout.on(({ kind }) => (kind === 'drained' ? ended.abort() : undefined));
    if (!playout.isIdle) await pause(goodbyeMs, AbortSignal.any([signal, ended.signal]));
    stop();
  }

  #now(): number {
    return this.#state.deps.nowMs();
  }
}
