import { condition, log, setHandler } from '@temporalio/workflow';
import type { DialCallInput } from '../../../activities/telephony.ts';
import type { Disposition } from '../../../domain/call/dispositions.ts';
import type { VoiceChannel } from '../../../domain/call/voice.ts';
import type { NotDialed } from '../../../domain/campaign/not-dialed.ts';
import type { CarrierEvent } from '../../../domain/telephony/carrier-event.ts';
import { answererOf } from '../../../domain/telephony/detection.ts';
import type { LegOutcome } from '../../../domain/telephony/hangup-causes.ts';
import {
  hearCarrier,
  isStreamOver,
  legAnswered,
  legDialed,
  newLeg,
  type Leg,
} from '../../../domain/telephony/leg.ts';
import type { RetryClass } from '../../../domain/telephony/retry-class.ts';
import type { LiveCall } from '../live-call.ts';
import {
  awaitDialUpdate,
  carrierEventSignal,
  givenUpSignal,
  mediaBeganSignal,
  seatLostSignal,
  takeCallUpdate,
  type CallInput,
  type DialAnswer,
  type TakeAnswer,
  type VoiceTiming,
} from '../messages.ts';
import { Commits } from './commits.ts';
import { Interventions } from './interventions.ts';
import { Seats } from './seats.ts';
import { timingOf } from './timing.ts';

/** A leg that a transfer dials. */
export interface TransferLeg {
  /** Number of the transfer in the call, from 1. */
  attempt: number;
  leg: Leg;
  /** We hung up; the carrier's event follows. */
  isHungUp: boolean;
  /** The hang-up failed. */
  isLeftOpen: boolean;
}

/**
 * The state of a spoken call besides its conversation. Invariants:
 *
 * S1. Messages only change this state. The one run of the call acts on it, in order.
 *
 * S2. The first reason to end the call stays its reason, with its retry class.
 */
export class SpokenCall {
  readonly call: LiveCall;
  readonly channel: VoiceChannel;
  readonly timing: VoiceTiming;
  readonly commits = new Commits();
  readonly seats: Seats;
  readonly interventions: Interventions;
  /** The caller's leg. */
  leg: Leg;
  transfer: TransferLeg | null = null;
  /** Legs of earlier transfers. */
  readonly pastTransfers: TransferLeg[] = [];
  /**
   * Generation of the seat that has the leg's stream; the agent cannot speak at another seat before its
   * stream is attached.
   */
  streamGeneration = 0;
  /** The input of the dial; null before it. */
  dialed: DialCallInput | null = null;
  /** The outcome of the dial; null while it is unknown. */
  dialAnswer: DialAnswer | null = null;
  hasFailedToStart = false;
  /** Why the dial was withdrawn: its campaign no longer allowed it; null otherwise. */
  notDialed: NotDialed | null = null;
  /** When the call last got an event or an answer, in milliseconds. */
  lastHeardMs = Date.now();
  /** When the conversation began, by the Workflow's clock. */
  talkingSinceMs: number | null = null;
  /** A machine was detected and handled: further detection events change nothing. */
  machineIsKnown = false;
  /** We hung up the caller's leg; the carrier's event follows. */
  isHungUp = false;
  /** The hang-up failed. */
  isLeftOpen = false;
  /** The host hung up, because no worker served the call. */
  isGivenUp = false;
  /** The caller was transferred. */
  isTransferred = false;
  word: LegOutcome['word'] = null;
  retryClass: RetryClass = 'none';
  /** How long the caller waited for each reply, in milliseconds. */
  readonly waitsMs: number[] = [];

  constructor(call: LiveCall, channel: VoiceChannel) {
    const { ringing } = channel;
    this.call = call;
    this.channel = channel;
    this.timing = timingOf(call.input);
    this.seats = new Seats(call.input, channel);
    this.interventions = new Interventions(call, this.seats);
    this.leg = ringing === undefined ? newLeg : legDialed(newLeg, ringing);
    setHandler(carrierEventSignal, (event) => this.#hear(event));
    setHandler(mediaBeganSignal, ({ at }) => {
      this.leg = legAnswered(this.leg, at);
    });
    setHandler(seatLostSignal, ({ generation }) => this.seats.lose(generation));
    setHandler(givenUpSignal, ({ generation }) => {
      this.isGivenUp ||= generation === this.seats.generation;
    });
    setHandler(awaitDialUpdate, () => this.#awaitDial());
    setHandler(takeCallUpdate, () => this.#awaitAdmission());
  }

  get input(): CallInput {
    return this.call.input;
  }

  get isPhone(): boolean {
    return this.channel.kind === 'phone';
  }

  /** The caller's leg has ended. For a browser, only its host knows. */
  get isDown(): boolean {
    return this.leg.phase === 'ended';
  }

  /** The current seat has lost its host. */
  get isHostLost(): boolean {
    const { generation } = this.seats;
    return this.seats.isLost || (this.isPhone && isStreamOver(this.leg, generation));
  }

  /** The agent can speak at the current seat. */
  get isPlaced(): boolean {
    return (
      this.seats.current !== null &&
      !this.isHostLost &&
      (!this.isPhone || this.streamGeneration === this.seats.generation)
    );
  }

  /** The remaining part of the conversation's maximum duration. */
  get remainingMs(): number {
    return this.talkingSinceMs === null
      ? this.channel.maxDurationMs
      : Math.max(0, this.talkingSinceMs + this.channel.maxDurationMs - Date.now());
  }

  end(
    disposition: Disposition,
    { retryClass = 'none', word = null }: { retryClass?: RetryClass; word?: LegOutcome['word'] } = {},
  ): void {
    if (this.call.isOver) return;
    this.call.over(disposition);
    this.retryClass = retryClass;
    this.word = word;
  }

  #hear(event: CarrierEvent): void {
    this.lastHeardMs = Date.now();
    if (event.what.kind === 'detection' && !answererOf(event.what.result).isKnown)
      log.warn('The carrier sent an unknown detection result', { result: event.what.result });
    if (event.role === 'main') this.leg = hearCarrier(this.leg, event);
    else if (this.transfer !== null && this.#isOfTransfer(event))
      this.transfer = { ...this.transfer, leg: hearCarrier(this.transfer.leg, event) };
  }

  /** Ignores late events about legs of earlier transfers. */
  #isOfTransfer({ leg: ids }: CarrierEvent): boolean {
    const isSame = ({ leg }: { leg: Leg }) =>
      leg.ids !== null &&
      (leg.ids.legId === null || ids.legId === null
        ? leg.ids.callControlId === ids.callControlId
        : leg.ids.legId === ids.legId);
    return this.transfer?.leg.ids === null
      ? !this.pastTransfers.some(isSame)
      : this.transfer !== null && isSame(this.transfer);
  }

  async #awaitDial(): Promise<DialAnswer> {
    await condition(() => this.dialAnswer !== null || this.call.isOver || this.call.isFinished);
    return this.dialAnswer ?? { kind: 'unknown' };
  }

  async #awaitAdmission(): Promise<TakeAnswer> {
    await condition(() => this.call.isAdmitted || this.call.isFinished);
    return this.call.isAdmitted ? 'taken' : 'refused';
  }
}
