import { outcomeOfCall, type CallFacts } from '../../src/domain/campaign/call-outcome.ts';
import { isCapped } from '../../src/domain/campaign/caps.ts';
import { readCallbackTime } from '../../src/domain/campaign/callback-time.ts';
import { linesFor } from '../../src/domain/campaign/lines.ts';
import { nextTokenAt, takeTokens, linesOfRamp } from '../../src/domain/campaign/pace.ts';
import type { TargetOutcome } from '../../src/domain/campaign/outcome.ts';
import type { CampaignRules } from '../../src/domain/campaign/rules.ts';
import { postpone, settle, type Settled } from '../../src/domain/campaign/settle.ts';
import type { WaitReason } from '../../src/domain/campaign/wait-reason.ts';
import { clocksOf, windowAt, type WindowState } from '../../src/domain/campaign/windows.ts';
import { zonesOf } from '../../src/domain/phone/zones.ts';

export interface SimulatedTarget {
  row: number;
  phone: string;
  zoneKey: string;
  state: 'queued' | 'processing' | Settled['state'];
  dueAt: Date | null;
  waitReason: string | null;
  spentAttempts: number;
  outcomes: TargetOutcome[];
}

export interface SimulatedDial {
  target: SimulatedTarget;
  at: Date;
  /** Outcome of the previous attempt; null for the first. */
  because: TargetOutcome | null;
  inUse: number;
}

interface Simulation {
  rules: CampaignRules;
  contacts: { phone: string; zoneKey: string }[];
  startsAt: Date;
  lines: number;
  random: () => number;
  /** The course of a call, and its length. */
  callOf: (target: SimulatedTarget, at: Date) => { facts: CallFacts; lengthMs: number };
}

/**
 * A campaign in memory, from its start to the end of its last row: the pure decisions of campaigns with a
 * clock that jumps from one relevant time to the next.
 */
export class SimulatedCampaign {
  readonly targets: SimulatedTarget[];
  readonly dials: SimulatedDial[] = [];
  now: Date;
  #bucket: { tokens: number; at: Date };
  #calls: { target: SimulatedTarget; facts: CallFacts; endsAt: Date }[] = [];
  /** Rows that have not ended. */
  #open: SimulatedTarget[];
  readonly #dialsOf = new Map<string, Date[]>();
  readonly #given: Simulation;

  constructor(given: Simulation) {
    this.#given = given;
    this.now = given.startsAt;
    this.#bucket = { tokens: 0, at: given.startsAt };
    this.targets = given.contacts.map((contact, index) => ({
      row: index + 1,
      ...contact,
      state: 'queued',
      dueAt: null,
      notBefore: null,
      waitReason: null,
      spentAttempts: 0,
      outcomes: [],
    }));
    this.#open = [...this.targets];
  }

  /** Runs the campaign. False if it stalls with rows that have not ended. */
  run({
    maxSteps = 200_000,
    each = () => undefined,
  }: { maxSteps?: number; each?: () => void } = {}): boolean {
    for (let step = 0; step < maxSteps; step += 1) {
      this.#endCalls();
      this.#dial();
      each();
      this.#open = this.#open.filter(({ state }) => state !== 'processed' && state !== 'failed');
      if (this.#open.length === 0) return true;
      const next = this.#nextMoment();
      if (next === null) return false;
      this.now = next;
    }
    return false;
  }

  #dial(): void {
    const { rules, lines, startsAt } = this.#given;
    const max = Math.min(
      rules.lines ?? Infinity,
      linesOfRamp({ ramp: rules.ramp, since: startsAt, now: this.now }) ?? Infinity,
    );
    const windows = this.#windows();
    const isOpen = (target: SimulatedTarget) => windows.get(target.zoneKey)?.isOpen === true;
    this.#open
      .filter(({ state, zoneKey }) => state === 'queued' && never(windows.get(zoneKey)))
      .forEach((target) => this.#postpone(target, this.now, 'outside_window'));
    const due = this.#open
      .filter(({ state, dueAt }) => state === 'waiting' && dueAt !== null && dueAt <= this.now)
      .toSorted((one, other) => Number(one.dueAt) - Number(other.dueAt));
    for (const target of due.filter((each) => !isOpen(each)))
      this.#postpone(target, this.now, 'outside_window');
    for (const target of [
      ...due.filter(isOpen),
      ...this.#open.filter((each) => each.state === 'queued' && isOpen(each)),
    ]) {
      const free = linesFor({
        free: lines - this.#calls.length,
        mine: { weight: 1, inUse: this.#calls.length },
        others: [],
        max,
      });
      if (free < 1 || this.#tokens(0) < 1) return;
      this.#claim(target);
    }
  }

  #windows(): Map<string, WindowState> {
    const { window } = this.#given.rules;
    return new Map(
      [...new Set(this.#open.map(({ zoneKey }) => zoneKey))].map((zoneKey) => [
        zoneKey,
        windowAt(window, { zones: zonesOf(zoneKey), at: this.now }),
      ]),
    );
  }

  #claim(target: SimulatedTarget): void {
    const { rules, callOf } = this.#given;
    const dials = this.#dialsOf.get(target.phone) ?? [];
    const capped = isCapped({ caps: rules.caps, dials, now: this.now });
    if (capped !== null) {
      this.#postpone(target, capped.until, 'capped');
      return;
    }
    this.#tokens(1);
    const { facts, lengthMs } = callOf(target, this.now);
    if (facts.notDialed === null) {
      this.dials.push({
        target,
        at: this.now,
        because: target.outcomes.at(-1) ?? null,
        inUse: this.#calls.length + 1,
      });
      this.#dialsOf.set(target.phone, [...dials, this.now]);
    }
    Object.assign(target, { state: 'processing', dueAt: null, waitReason: null });
    this.#calls.push({ target, facts, endsAt: new Date(this.now.getTime() + lengthMs) });
  }

  #postpone(target: SimulatedTarget, at: Date, reason: WaitReason): void {
    Object.assign(
      target,
      postpone({
        window: this.#given.rules.window,
        zones: zonesOf(target.zoneKey),
        now: this.now,
        at,
        reason,
      }),
    );
  }

  #endCalls(): void {
    const ended = this.#calls.filter(({ endsAt }) => endsAt <= this.now);
    this.#calls = this.#calls.filter(({ endsAt }) => endsAt > this.now);
    for (const { target, facts, endsAt } of ended) {
      const { rules, random } = this.#given;
      const outcome = outcomeOfCall(facts);
      const zones = zonesOf(target.zoneKey);
      const callback = readCallbackTime({
        value: facts.gathered['callback_at'],
        zone: clocksOf(rules.window, zones)[0] ?? 'UTC',
        now: endsAt,
      });
      const sameBefore = target.outcomes.filter((each) => each === outcome).length;
      const { isSpent, ...settled } = settle({
        rules,
        target: { spentAttempts: target.spentAttempts, sameBefore },
        outcome,
        wasAnswered: facts.wasAnswered,
        now: endsAt,
        callbackAt: callback.kind === 'at' ? callback.at : null,
        zones,
        jitter: random(),
      });
      Object.assign(target, settled, { spentAttempts: target.spentAttempts + (isSpent ? 1 : 0) });
      target.outcomes.push(outcome);
    }
  }

  #tokens(wanted: number): number {
    const took = takeTokens(this.#bucket, {
      perSecond: this.#perSecond,
      burst: Math.max(1, this.#perSecond),
      now: this.now,
      wanted,
    });
    this.#bucket = took.bucket;
    return took.bucket.tokens + 1e-9;
  }

  /** The earliest time at which a call ends, a row is due, a window opens, or a dial may begin. */
  #nextMoment(): Date | null {
    const { rules, startsAt } = this.#given;
    const openings = new Set(
      this.#open.flatMap(({ state, zoneKey }) => (state === 'queued' ? [zoneKey] : [])),
    );
    const windows = [...this.#windows()].flatMap(([zoneKey, state]) =>
      openings.has(zoneKey) ? [state.isOpen ? Number(this.now) : Number(state.opensAt ?? Infinity)] : [],
    );
    const dues = this.#open.flatMap(({ state, dueAt }) =>
      state === 'waiting' && dueAt !== null ? [Number(dueAt)] : [],
    );
    const ends = Math.min(...this.#calls.map(({ endsAt }) => Number(endsAt)));
    const dialMs = Math.max(
      Math.min(...windows, ...dues),
      Number(nextTokenAt(this.#bucket, this.#perSecond)),
    );
    // A row that is due and has its token waits for a line: for the end of a call, or the next increase of
    // the ramp.
    const rampMs =
      rules.ramp === null
        ? Infinity
        : Number(this.now) + 60_000 - ((Number(this.now) - Number(startsAt)) % 60_000);
    const nextMs = Math.min(ends, dialMs > Number(this.now) ? dialMs : rampMs);
    return Number.isFinite(nextMs) ? new Date(nextMs) : null;
  }

  get #perSecond(): number {
    return Math.min(
      this.#given.rules.startsPerSecond ?? Infinity,
      this.#given.rules.organizationStartsPerSecond,
    );
  }
}

function never(state: WindowState | undefined): boolean {
  return state !== undefined && !state.isOpen && state.opensAt === null;
}
