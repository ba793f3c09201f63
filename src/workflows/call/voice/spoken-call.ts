import { condition, log, setHandler } from '@temporalio/workflow';
import type { DialCallInput } from '../../../activities/telephony.ts';
import type { Disposition } from '../../../domain/call/dispositions.ts';
import type { VoiceChannel } from '../../../domain/call/voice.ts';
import type { NotDialed } from '../../../domain/campaign/not-dialed.ts';
import type { CarrierEvent } from '../../../domain/telephony/carrier-event.ts';
import { answererOf } from '../../../domain/telephony/detection.ts';
import type { LegOutcome } from '../../../domain/telephony/hangup-causes.ts';
import { hearCarrier, isStreamOver, legDialed, newLeg, type Leg } from '../../../domain/telephony/leg.ts';
import type { RetryClass } from '../../../domain/telephony/retry-class.ts';
import type { LiveCall } from '../live-call.ts';
import {
  awaitDialUpdate,
  carrierEventSignal,
  seatLostSignal,
  takeCallUpdate,
  type CallInput,
  type DialAnswer,
  type TakeAnswer,
  type VoiceTiming,
} from '../messages.ts';
import { Commits } from './commits.ts';
import { Seats } from './seats.ts';
import { timingOf } from './timing.ts';

/** A leg that a transfer dials. */
export interface TransferLeg {
  /** Which one of the call, from 1. */
  attempt: number;
  leg: Leg;
  /** By us; the carrier tells it next. */
  isHungUp: boolean;
  /** It was to be hung up, and could not be. */
  isLeftOpen: boolean;
}

/**
 * What a spoken call knows besides its conversation, and its invariants:
 *
 * S1. Messages only change what is known here; what is done about it is done by the one run of the call, in
 * order. S2. The first reason for which the call ends is the reason; its retry class belongs to it.
 */
export class SpokenCall {
  readonly call: LiveCall;
  readonly channel: VoiceChannel;
  readonly timing: VoiceTiming;
  readonly commits = new Commits();
  readonly seats: Seats;
  /** The caller's leg. */
  leg: Leg;
  transfer: TransferLeg | null = null;
  /** Of legs that earlier transfers dialed. */
  readonly pastTransfers: TransferLeg[] = [];
  /**
   * The seat whose stream the line has been given; another one is to be attached before anything can be said
   * there.
   */
  streamGeneration = 0;
  /** As it was dialed; null before. */
  dialed: DialCallInput | null = null;
  /** What the carrier said of the dial; null while nobody knows. */
  dialAnswer: DialAnswer | null = null;
  hasFailedToStart = false;
  /** A campaign did not want the call any more when it was to be dialed. */
  notDialed: NotDialed | null = null;
  /** When anything was last heard of the call, milliseconds. */
  lastHeardMs = Date.now();
  /** When the person answered, by the Workflow's clock. */
  talkingSinceMs: number | null = null;
  /** A machine was found, and is spoken to: the carrier's word for it changes nothing more. */
  machineIsKnown = false;
  /** The caller's leg was hung up by us; the carrier tells it next. */
  isHungUp = false;
  /** It was to be hung up, and could not be. */
  isLeftOpen = false;
  /** The caller is with somebody else. */
  isTransferred = false;
  word: LegOutcome['word'] = null;
  retryClass: RetryClass = 'none';
  /** How long the caller waited for each answer, milliseconds. */
  readonly waitsMs: number[] = [];

  constructor(call: LiveCall, channel: VoiceChannel) {
    const { ringing } = channel;
    this.call = call;
    this.channel = channel;
    this.timing = timingOf(call.input);
    this.seats = new Seats(call.input, channel);
    this.leg = ringing === undefined ? newLeg : legDialed(newLeg, ringing);
    setHandler(carrierEventSignal, (event) => this.#hear(event));
    setHandler(seatLostSignal, ({ generation }) => this.seats.lose(generation));
    setHandler(awaitDialUpdate, () => this.#awaitDial());
    setHandler(takeCallUpdate, () => this.#awaitAdmission());
  }

  get input(): CallInput {
    return this.call.input;
  }

  get isPhone(): boolean {
    return this.channel.kind === 'phone';
  }

  /** The line is down; in a browser only its host knows. */
  get isDown(): boolean {
    return this.leg.phase === 'ended';
  }

  /** The present seat has no host any more. */
  get isHostLost(): boolean {
    const { generation } = this.seats;
    return this.seats.isLost || (this.isPhone && isStreamOver(this.leg, generation));
  }

  /** The present seat can be spoken at. */
  get isPlaced(): boolean {
    return (
      this.seats.current !== null &&
      !this.isHostLost &&
      (!this.isPhone || this.streamGeneration === this.seats.generation)
    );
  }

  /** What is left of the longest time that the conversation may take. */
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
      log.warn('The carrier gave an unknown result of detection', { result: event.what.result });
    if (event.role === 'main') this.leg = hearCarrier(this.leg, event);
    else if (this.transfer !== null && this.#isOfTransfer(event))
      this.transfer = { ...this.transfer, leg: hearCarrier(this.transfer.leg, event) };
  }

  /** A late word about a leg that was dialed before says nothing about the present one. */
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
