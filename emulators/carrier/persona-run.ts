import type { Leg } from './leg.ts';
import type { CarrierLog } from './log.ts';
import { LegOver, LegTime } from './leg-time.ts';
import { fits, type Step } from './persona.ts';
import { noise, spoken, tone } from './sounds.ts';

/** A persona that hears nothing continues after this time. */
const patienceMs = 30_000;
/** A persona that answers waits at most this long for a media socket. */
const connectingMs = 5_000;

type Converse = Extract<Step, { do: 'converse' }>;
type Interruption = { atAgentWord?: string | undefined; afterMs?: number | undefined };

/** Runs the steps of a persona on one leg. Conditions are checked with each frame, in the leg's own time. */
export class PersonaRun {
  #leg: Leg;
  #log: CarrierLog;
  #time = new LegTime();
  /** How much of the heard text the persona has answered, and how much `expectHeard` has checked. */
  #answeredText = 0;
  #expectedText = 0;
  #saidLast = '';

  constructor(leg: Leg, log: CarrierLog) {
    this.#leg = leg;
    this.#log = log;
  }

  begin(): void {
    this.#live().catch((error: unknown) => {
      if (!(error instanceof LegOver)) this.#note('persona failed', { error: String(error) });
    });
  }

  frame(at: number): void {
    this.#time.frame(at);
  }

  end(): void {
    this.#time.end();
  }

  async #live(): Promise<void> {
    // No one answers before the dial itself is answered.
    await this.#time.pause(0);
    for (const step of this.#leg.request.persona.steps) await this.#take(step);
  }

  async #take(step: Step): Promise<void> {
    const leg = this.#leg;
    switch (step.do) {
      case 'ring':
      case 'silence':
        return await this.#time.pause(step.ms);
      case 'answer':
        return await this.#pickUp();
      case 'reject':
        return leg.end('call_rejected', 'callee');
      case 'busy':
        return leg.end('user_busy', 'callee');
      case 'no_answer':
        await this.#time.until(() => false);
        return;
      case 'not_found':
        return leg.end('not_found', 'unknown');
      case 'end':
        return leg.end(step.cause, 'unknown');
      case 'machine':
        return await this.#machine(step);
      case 'fax':
        return await this.#fax(step.detectedAfterMs);
      case 'say':
        await this.#stepBegins(step);
        return await this.#say(step.text);
      case 'interrupt':
      case 'backchannel':
        await this.#midSentence(step);
        return await this.#say(step.text);
      case 'cough':
        await this.#midSentence(step);
        return await this.#sound(noise(step.ms), { cough: true });
      case 'dtmf':
        await this.#stepBegins(step);
        return this.#press(step.digits);
      case 'joined':
        return await this.#joined();
      case 'hold':
        return await this.#hold(step.ms);
      case 'hangup':
        await this.#stepBegins(step);
        return leg.hungUp();
      case 'expectHeard':
        return await this.#expect(step);
      case 'converse':
        return await this.#converse(step);
    }
  }

  /** Our side answers an incoming call; the persona only waits for that. */
  async #pickUp(): Promise<void> {
    const leg = this.#leg;
    if (leg.request.direction === 'incoming') {
      await this.#time.until(() => leg.state === 'answered');
      return await this.#lineIsThrough();
    }
    leg.answer();
    const { detectedAs } = leg.request.persona;
    if (detectedAs !== null) this.#detect(detectedAs, 1_500);
    await this.#lineIsThrough();
  }

  /** Wait for the media stream, or the beginning of the first word would be lost. */
  async #lineIsThrough(): Promise<void> {
    const { media } = this.#leg;
    const until = this.#time.now + connectingMs;
    await this.#time.until((at) => !media.isConnecting || at > until);
  }

  async #machine({ greeting, beep, detectedAfterMs }: Extract<Step, { do: 'machine' }>): Promise<void> {
    const leg = this.#leg;
    leg.answer();
    if (detectedAfterMs !== null) this.#detect('machine', detectedAfterMs);
    await this.#lineIsThrough();
    await this.#time.pause(300);
    await this.#say(greeting);
    if (beep) await this.#sound(tone(1_000, 400), { beep: true });
    if (leg.request.detection === 'premium')
      leg.sendEvent('call.machine.premium.greeting.ended', {
        result: beep ? 'beep_detected' : 'no_beep_detected',
      });
    else if (leg.request.detection === 'standard')
      leg.sendEvent('call.machine.greeting.ended', { result: beep ? 'beep_detected' : 'ended' });
    this.#answeredText = leg.listener.text.length;
  }

  async #fax(detectedAfterMs: number): Promise<void> {
    this.#leg.answer();
    this.#detect('fax_detected', detectedAfterMs);
    await this.#sound(tone(2_100, 3_000), { fax: true });
  }

  /**
   * The result of answering machine detection arrives while the persona continues, unless the call ends
   * before.
   */
  #detect(result: string, afterMs: number): void {
    this.#tellDetection(result, afterMs).catch(() => undefined);
  }

  async #tellDetection(result: string, afterMs: number): Promise<void> {
    await this.#time.pause(afterMs);
    const leg = this.#leg;
    if (leg.request.detection === 'premium')
      leg.sendEvent('call.machine.premium.detection.ended', { result });
    else if (leg.request.detection === 'standard')
      leg.sendEvent('call.machine.detection.ended', { result: plainResult(result) });
  }

  async #say(text: string): Promise<void> {
    this.#answeredText = this.#leg.listener.text.length;
    this.#saidLast = text;
    await this.#sound(spoken(text), { text });
  }

  async #sound(samples: Int16Array, what: Record<string, unknown>): Promise<void> {
    const leg = this.#leg;
    leg.playout.add(samples);
    this.#log.add('said', { legId: leg.id, at: this.#time.now + 20, ...what, ms: samples.length / 8 });
    await this.#time.until(() => leg.playout.isEmpty);
    // Wait a little after the last word before the next step, so that its end is recognized.
    await this.#time.pause(100);
  }

  #press(digits: string): void {
    const leg = this.#leg;
    this.#note('pressed', { digits });
    this.#answeredText = leg.listener.text.length;
    for (const digit of digits) {
      leg.media.stream?.dtmf(digit);
      leg.sendEvent('call.dtmf.received', { digit });
    }
  }

  async #joined(): Promise<void> {
    const until = this.#time.now + patienceMs;
    await this.#time.until((at) => this.#leg.conference?.isShared === true || at > until);
  }

  async #hold(ms: number): Promise<void> {
    const leg = this.#leg;
    leg.isOnHold = true;
    leg.sendEvent('call.hold', {});
    await this.#time.pause(ms);
    leg.isOnHold = false;
    leg.sendEvent('call.unhold', {});
  }

  async #expect({ pattern, withinMs }: Extract<Step, { do: 'expectHeard' }>): Promise<void> {
    const { listener, id } = this.#leg;
    const from = this.#expectedText;
    const until = this.#time.now + withinMs;
    const isHeard = (): boolean => fits(pattern, listener.text.slice(from));
    try {
      await this.#time.until((at) => isHeard() || at > until);
    } finally {
      this.#log.add('expectation', {
        legId: id,
        pattern,
        isMet: isHeard(),
        heard: listener.text.slice(from),
      });
    }
    this.#expectedText = listener.text.length;
  }

  async #converse({ rules, otherwise, pauseMs, turns }: Converse): Promise<void> {
    const { listener } = this.#leg;
    const used = new Map<number, number>();
    for (let turn = 0; turn < turns; turn += 1) {
      const index = await this.#answerable(pauseMs, (heard) => {
        const fitting = rules.findIndex(
          (rule, position) => fits(rule.heard, heard) && (used.get(position) ?? 0) < rule.times,
        );
        return fitting === -1 && otherwise === null ? null : fitting;
      });
      this.#answeredText = listener.text.length;
      const rule = rules[index];
      used.set(index, (used.get(index) ?? 0) + 1);
      if (rule?.dtmf !== undefined) this.#press(rule.dtmf);
      const words = rule === undefined ? (otherwise ?? undefined) : rule.again ? this.#saidLast : rule.say;
      if (words !== undefined) await this.#say(words);
      if (rule?.hangsUp === true) return this.#leg.hungUp();
    }
  }

  /** Waits until the agent has finished and `choose` has an answer to its words; null = wait for more. */
  async #answerable(pauseMs: number, choose: (heard: string) => number | null): Promise<number> {
    const { listener } = this.#leg;
    for (;;) {
      const from = this.#answeredText;
      await this.#agentDone(pauseMs);
      const chosen = choose(listener.text.slice(from));
      if (chosen !== null) return chosen;
      const length = listener.text.length;
      await this.#time.until(() => listener.text.length > length);
    }
  }

  /** Waits for the start of a step. */
  async #stepBegins({ after, pauseMs }: { after: 'agentDone' | number; pauseMs: number }): Promise<void> {
    if (after === 'agentDone') await this.#agentDone(pauseMs);
    else await this.#time.pause(after);
  }

  /** Waits until the agent has said something that is not answered yet, and is silent. */
  async #agentDone(pauseMs: number): Promise<void> {
    const { listener } = this.#leg;
    const from = this.#answeredText;
    const until = this.#time.now + patienceMs;
    await this.#time.until(
      (at) => (listener.text.length > from && listener.silentMs >= pauseMs) || at > until,
    );
    if (listener.text.length === from) this.#note('agent said nothing', { forMs: patienceMs });
  }

  async #midSentence({ atAgentWord, afterMs }: Interruption): Promise<void> {
    const { listener } = this.#leg;
    const from = this.#answeredText;
    const until = this.#time.now + patienceMs;
    if (atAgentWord !== undefined) {
      await this.#time.until((at) => fits(atAgentWord, listener.text.slice(from)) || at > until);
      return;
    }
    const beganAt = await this.#time.until((at) => listener.text.length > from || at > until);
    await this.#time.until((at) => at - beganAt >= (afterMs ?? 500));
  }

  #note(what: string, fields: Record<string, unknown>): void {
    this.#log.add('person', { legId: this.#leg.id, what, ...fields });
  }
}

/** The result in the words of standard detection, which does not distinguish kinds of people. */
function plainResult(result: string): string {
  if (result === 'fax_detected') return 'machine';
  return result === 'machine' || result === 'not_sure' ? result : 'human';
}
