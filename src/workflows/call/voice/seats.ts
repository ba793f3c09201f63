import { isCancellation, sleep } from '@temporalio/workflow';
import { taskQueues, timeoutsMs } from '../../../domain/declaration.ts';
import type { MediaActivities, Seat, VoiceChannel } from '../../../domain/call/voice.ts';
import { activitiesOf } from '../../proxies.ts';
import type { CallInput } from '../messages.ts';
import { showLine } from '../search-attributes.ts';

/** Pause before another host is asked: one that is full answers at once. */
const pauseMs = 250;

/**
 * The call's places at media hosts, one after the other. Generations only grow: what is lost stays lost, and
 * what an old one says is refused in MySQL and ignored here.
 */
export class Seats {
  readonly #input: CallInput;
  readonly #channel: VoiceChannel;
  #seat: Seat | null = null;
  #generation = 0;
  #lostGeneration = 0;
  /** Queue of a host that has room, as a full one said. */
  #elsewhere: string | null = null;

  constructor(input: CallInput, channel: VoiceChannel) {
    this.#input = input;
    this.#channel = channel;
  }

  get current(): Seat | null {
    return this.#seat;
  }

  /** Of the newest seat that was asked for; 0 before the first. */
  get generation(): number {
    return this.#generation;
  }

  get isLost(): boolean {
    return this.#lostGeneration >= this.#generation;
  }

  lose(generation: number): void {
    // guarantee: what-said-about-older
    this.#lostGeneration = Math.max(this.#lostGeneration, Math.min(generation, this.#generation));
  }

  /**
   * Claims a seat of the next generation at any host, until `deadlineMs`; false when there was none, or
   * `isHopeless` says that nobody needs one.
   */
  async claim(deadlineMs: number, isHopeless: () => boolean): Promise<boolean> {
    while (!isHopeless()) {
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

  /** Gives the seat back; a host that is gone needs nothing. */
  async release(): Promise<void> {
    if (this.#seat === null) return;
    const { hostQueue, generation } = this.#seat;
    const { releaseSeat } = activitiesOf<MediaActivities>(
      'seat',
      `Release the seat of generation ${generation}`,
      { taskQueue: hostQueue },
    );
    await releaseSeat(this.#claimed(generation)).catch(() => undefined);
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

  /** A browser's socket is at one host already, which has made the seat. */
  #take(seat: Seat): boolean {
    showLine({
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
