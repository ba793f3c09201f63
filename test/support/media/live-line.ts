import { encodeSpeech } from '../../../emulators/modem/encode-speech.ts';
import { createListener } from '../../../emulators/modem/listener.ts';
import type { GoneReason, HeardFrame, VoiceLeg } from '../../../src/media/leg.ts';
import { createFrameClock } from '../../../src/media/playout/frame-clock.ts';
import { createPlayout } from '../../../src/media/playout/playout.ts';
import { patienceMs, until } from '../until.ts';

/**
 * A leg in real time without a carrier. The real playout sends frames by the real clock. The person's
 * end plays one every 20 ms, decodes its sound, and sends a frame every 20 ms: silence unless the person
 * speaks.
 */
export interface LiveLine {
  readonly leg: VoiceLeg;
  /** What the person has heard so far, decoded from the sound. */
  heard(): string;
  /** Waits until the person has heard this text. */
  hears(text: string, limitMs?: number): Promise<void>;
  /** Waits for this much silence. */
  quiet(ms: number): Promise<void>;
  /** The person speaks; resolves at the end. */
  say(text: string): Promise<void>;
  /** The person is silent; resolves when so much silence has been sent, however late that is. */
  pause(ms: number): Promise<void>;
  /** The person makes a sound without words. */
  cough(ms: number): Promise<void>;
  press(digit: string): void;
  type(text: string): void;
  hangUp(reason?: GoneReason): void;
  /** Events on the person's screen. */
  readonly shown: Record<string, unknown>[];
  close(): void;
}

const rate = 8000;
const frameSamples = rate / 50;

export function createLiveLine({ generation = 1 }: { generation?: number } = {}): LiveLine {
  const clock = createFrameClock();
  const listener = createListener({ sampleRate: rate, onText: () => undefined });
  const frameListeners = new Set<(frame: HeardFrame) => void>();
  const keyListeners = new Set<(digit: string) => void>();
  const typedListeners = new Set<(text: string) => void>();
  const goneListeners: ((reason: GoneReason) => void)[] = [];
  const shown: Record<string, unknown>[] = [];
  let queue: ({ kind: 'frame'; samples: Int16Array; cameAtMs: number } | { kind: 'mark'; name: string })[] =
    [];
  let words: { frames: Int16Array[]; done: () => void }[] = [];
  let mediaMs = 0;
  let playsAtMs = clock.now();
  let sentUntilMs = clock.now();
  let gone: GoneReason | null = null;

  const playout = createPlayout({
    sampleRate: rate,
    clock,
    wire: {
      send: (samples) => void queue.push({ kind: 'frame', samples: samples.slice(), cameAtMs: clock.now() }),
      mark: (name) => void queue.push({ kind: 'mark', name }),
      clear() {
        play(clock.now());
        const marks = queue.flatMap((each) => (each.kind === 'mark' ? [each.name] : []));
        queue = [];
        for (const name of marks) playout.onMark(name);
      },
    },
  });

  const leave = clock.join((nowMs) => {
    play(nowMs);
    send(nowMs);
  });

  /** Plays by time, not by ticks: a busy machine makes ticks late, but a phone is never late. */
  function play(nowMs: number): void {
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      if (next.kind === 'frame' && Math.max(playsAtMs, next.cameAtMs) + 20 > nowMs) return;
      queue.shift();
      if (next.kind === 'mark') playout.onMark(next.name);
      else hear(next, Math.max(playsAtMs, next.cameAtMs));
    }
    for (; playsAtMs + 20 <= nowMs; playsAtMs += 20) listener.push(new Int16Array(frameSamples));
  }

  function hear({ samples }: { samples: Int16Array }, startMs: number): void {
    for (let silenceMs = startMs - playsAtMs; silenceMs >= 20; silenceMs -= 20)
      listener.push(new Int16Array(frameSamples));
    listener.push(samples);
    playsAtMs = startMs + 20;
  }

  function send(nowMs: number): void {
    for (; sentUntilMs + 20 <= nowMs; sentUntilMs += 20) {
      const [speaking] = words;
      const samples = speaking?.frames.shift() ?? new Int16Array(frameSamples);
      for (const each of frameListeners) each({ samples, mediaMs });
      mediaMs += 20;
      if (speaking === undefined || speaking.frames.length > 0) continue;
      words = words.slice(1);
      speaking.done();
    }
  }

  const hangUp = (reason: GoneReason = 'stopped') => {
    if (gone !== null) return;
    gone = reason;
    leave();
    playout.close();
    for (const each of goneListeners) each(reason);
  };

  const leg: VoiceLeg = {
    sampleRate: rate,
    generation,
    beganAtMs: performance.now(),
    playout,
    onFrame(each) {
      frameListeners.add(each);
      return () => void frameListeners.delete(each);
    },
    onKey(each) {
      keyListeners.add(each);
      return () => void keyListeners.delete(each);
    },
    onTyped(each) {
      typedListeners.add(each);
      return () => void typedListeners.delete(each);
    },
    onGone(each) {
      if (gone === null) goneListeners.push(each);
      else each(gone);
    },
    show: (event) => void shown.push(event),
  };

  return {
    leg,
    heard: () => listener.text,
    hears: async (text, limitMs = patienceMs) =>
      void (await until(
        `hearing "${text}" (heard so far: "${listener.text}")`,
        async () => listener.text.includes(text),
        limitMs,
      ).catch((error: unknown) => {
        throw new Error(`${String(error)}; heard: "${listener.text}"`);
      })),
    quiet: async (ms) => void (await until(`${ms} ms of quiet`, async () => listener.silentMs >= ms)),
    say(text) {
      const samples = encodeSpeech(text, rate);
      const frames = Array.from({ length: Math.ceil(samples.length / frameSamples) }, (_, index) => {
        const frame = new Int16Array(frameSamples);
        frame.set(samples.subarray(index * frameSamples, (index + 1) * frameSamples));
        return frame;
      });
      return new Promise((done) => words.push({ frames, done }));
    },
    pause(ms) {
      const frames = Array.from({ length: Math.ceil(ms / 20) }, () => new Int16Array(frameSamples));
      return new Promise((done) => words.push({ frames, done }));
    },
    cough(ms) {
      // A hum as loud as speech, at no frequency of the modem.
      const frames = Array.from({ length: Math.ceil(ms / 20) }, () =>
        Int16Array.from({ length: frameSamples }, (_, index) =>
          Math.round(9000 * Math.sin((2 * Math.PI * 250 * index) / rate)),
        ),
      );
      return new Promise((done) => words.push({ frames, done }));
    },
    press(digit) {
      for (const each of keyListeners) each(digit);
    },
    type(text) {
      for (const each of typedListeners) each(text);
    },
    hangUp,
    shown,
    close: () => hangUp('released'),
  };
}
