import { isCancellation, sleep } from '@temporalio/workflow';
import { taskQueues, timeoutsMs } from '../../../domain/declaration.ts';
import type { Note } from '../../../domain/call/intervention.ts';
import type { MediaActivities, Seat, VoiceChannel } from '../../../domain/call/voice.ts';
import { activitiesOf } from '../../proxies.ts';
import type { CallInput } from '../messages.ts';
import { showSeat } from '../search-attributes.ts';

/** Pauses before another host is asked, because a full host answers at once. */
const pausesMs = { first: 250, last: 1000 };

/**
 * The call's seats at media hosts, one after the other. Generations only grow: a lost seat stays lost, and
 * results of an old generation are refused in MySQL and ignored here.
 */
export class Seats {
  readonly #input: CallInput;
  readonly #channel: VoiceChannel;
  #seat: Seat | null = null;
  #generation = 0;
  #lostGeneration = 0;
  /** Queue of a host with free seats, as a full host reported it. */
  #elsewhere: string | null = null;

  constructor(input: CallInput, channel: VoiceChannel) {
    this.#input = input;
    this.#channel = channel;
  }

  get current(): Seat | null {
    return this.#seat;
  }

  /** Generation of the newest requested seat; 0 before the first. */
  get generation(): number {
    return this.#generation;
  }

  get isLost(): boolean {
    return this.#lostGeneration >= this.#generation;
  }

  lose(generation: number): void {
    // guarantee: older-generation-ignored
    this.#lostGeneration = Math.max(this.#lostGeneration, Math.min(generation, this.#generation));
  }

  /**
   * Claims a seat of the next generation at any host, until `deadlineMs`. False when no host had one, or
   * `isUnneeded` became true.
   */
  async claim(deadlineMs: number, isUnneeded: () => boolean): Promise<boolean> {
    for (let pauseMs = pausesMs.first; !isUnneeded(); pauseMs = Math.min(pauseMs * 2, pausesMs.last)) {
      const leftMs = deadlineMs - Date.now();
      if (leftMs <= 0) return false;
      if (await this.#claimOnce(leftMs)) return true;
      if (this.#elsewhere === null)
        await sleep(Math.min(pauseMs, Math.max(1, deadlineMs - Date.now())), {
          summary: 'Wait before another host is asked',
        });
    }
    return false;
  }

  /** Waits until the host has said what it began to say by itself. */
  async finishSpeaking(): Promise<void> {
    await this.#ask('finishSpeaking', 'Let the host finish speaking');
  }

  /** Ends the step that the host speaks. */
  async stopStep(): Promise<void> {
    await this.#ask('stopStep', 'Break the step off');
  }

  /** Ends the step that the host speaks, in favor of a supervisor. */
  async yieldStep(): Promise<void> {
    await this.#ask('yieldStep', 'Break the step off for a supervisor');
  }

  /** Tells the host the supervisors' notes. */
  async takeNotes(notes: Note[]): Promise<void> {
    if (this.#seat === null) return;
    const { hostQueue, generation } = this.#seat;
    const { takeNotes } = activitiesOf<MediaActivities>('seat', "Tell the host a supervisor's note", {
      taskQueue: hostQueue,
    });
    await takeNotes({ ...this.#claimed(generation), notes }).catch(ignoreFault);
  }

  /** Releases the seat; also a cancellation changes nothing, because the call has left the host. */
  async release(): Promise<void> {
    const summary = `Release the seat of generation ${this.#seat?.generation}`;
    await this.#ask('releaseSeat', summary).catch(() => undefined);
  }

  /** Asks the current host, if there is one; a failure is ignored, because the host may be lost. */
  async #ask(
    what: 'finishSpeaking' | 'stopStep' | 'yieldStep' | 'releaseSeat',
    summary: string,
  ): Promise<void> {
    if (this.#seat === null) return;
    const { hostQueue, generation } = this.#seat;
    const host = activitiesOf<MediaActivities>('seat', summary, { taskQueue: hostQueue });
    await host[what](this.#claimed(generation)).catch(ignoreFault);
  }

  async #claimOnce(leftMs: number): Promise<boolean> {
    this.#generation += 1;
    const { host } = this.#channel;
    if (host !== undefined) return this.#take({ ...host, generation: this.#generation });
    const { seatTaskQueue = taskQueues.seat } = this.#input;
    const taskQueue = this.#elsewhere ?? seatTaskQueue;
    this.#elsewhere = null;
    const { claimSeat } = activitiesOf<MediaActivities>(
      'seat',
      `Claim a seat, generation ${this.#generation}`,
      { taskQueue, scheduleToStartTimeout: Math.min(leftMs, timeoutsMs.seatScheduleToStart) },
    );
    try {
      const claimed = await claimSeat(this.#claimed(this.#generation));
      if (claimed.kind === 'seated') return this.#take(claimed.seat);
      this.#elsewhere = claimed.elsewhere ?? null;
      return false;
    } catch (error) {
      if (isCancellation(error)) throw error;
      return false;
    }
  }

  /** Takes the seat; for a browser, its host has already made it. */
  #take(seat: Seat): boolean {
    showSeat({
      provider: this.#seat === null ? (this.#channel.provider ?? null) : null,
      hostId: seat.hostId,
    });
    this.#seat = seat;
    return !this.isLost;
  }

  #claimed(generation: number) {
    const { callId, organizationId } = this.#input;
    return { callId, organizationId, generation };
  }
}

/** The host may be lost. */
function ignoreFault(error: unknown): void {
  if (isCancellation(error)) throw error;
}
