import type { ProviderError } from '../../domain/errors.ts';
import { followVoice, voiceStartMs } from '../../domain/audio/voice-activity.ts';
import { HeardAgain, type HeardFinal } from '../../domain/speech/heard-again.ts';
import { reconnectWaitMs } from '../../domain/speech/retry-plan.ts';
import { sttError } from './failures.ts';
import type { SttEvent, SttOptions, SttPort, SttSession } from './port.ts';

export interface ReconnectingOptions {
  /**
   * Somebody spoke for so long and nothing was heard of it: the connection is taken for dead. Doubled each
   * time that another one heard nothing either: then it is noise.
   */
  stallMs: number;
  /**
   * Of the newest audio, at least so much is played again to a new connection; what was spoken since the last
   * final is, up to `maxReplayMs`.
   */
  replayMs: number;
  maxReplayMs: number;
  /** A connection that lasted so long was a good one: attempts are counted anew. */
  goodAfterMs: number;
  /** Monotonic, milliseconds. */
  now: () => number;
  random: () => number;
  /** A connection was given up for another one, and why. */
  onLost: (why: ProviderError) => void;
}

const defaults: ReconnectingOptions = {
  stallMs: 3_000,
  replayMs: 2_000,
  maxReplayMs: 10_000,
  goodAfterMs: 10_000,
  now: () => performance.now(),
  random: Math.random,
  onLost: () => undefined,
};

/**
 * The same speech recognition, with sessions that outlive their connection. It is the one retry owner: a lost
 * connection, or one that hears nothing while somebody speaks, is replaced, the last seconds are played to
 * the new one, and what it repeats is taken out. `fault` and `closed` come only when it gave up, or when
 * another attempt would change nothing.
 */
export function reconnectingStt(stt: SttPort, options: Partial<ReconnectingOptions> = {}): SttPort {
  return {
    simulated: stt.simulated,
    provider: stt.provider,
    capabilities: stt.capabilities,
    open: (asked) => new LastingSession({ stt, asked, options: { ...defaults, ...options } }),
    warm: () => stt.warm(),
    close: () => stt.close(),
  };
}

/** Less voice than this is a cough; nothing has to be heard of it. */
const minVoiceMs = 600;
/** Recognizers without interims say nothing until the end of speech. */
const patience = { withInterims: 1, withoutInterims: 5 };
/** The first sound of a word is quieter than voice, and voice is known a moment after it began. */
const beforeVoiceMs = 300 + voiceStartMs;
/** Finals that may be repeated lie within the replayed time. */
const maxRemembered = 20;

interface Frame {
  frame: Int16Array;
  mediaMs: number;
}

interface Parts {
  stt: SttPort;
  asked: SttOptions;
  options: ReconnectingOptions;
}

class LastingSession implements SttSession {
  readonly #parts: Parts;
  readonly #isVoice: (frame: Int16Array) => boolean;
  #connection: SttSession | null = null;
  #generation = 0;
  #attempt = 0;
  #openedAt: number | null = null;
  #fault: ProviderError | null = null;
  #state: 'lasting' | 'closing' | 'closed' = 'lasting';
  #timer: NodeJS.Timeout | undefined;
  #recent: Frame[] = [];
  #finals: HeardFinal[] = [];
  #again: HeardAgain | null = null;
  #pushedMs = 0;
  /** Of voice of which nothing was heard yet; `since`: when the first of it was handed over. */
  #unheard = { voiceMs: 0, since: 0 };
  /** Where in the media somebody first spoke after the last final; null = nobody did. */
  #spokenFromMs: number | null = null;
  #stallCount = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#isVoice = followVoice(parts.asked.sampleRate);
    this.#connect();
  }

  push(frame: Int16Array, mediaMs: number): void {
    if (this.#state === 'closed') return;
    const ms = this.#msOf(frame);
    this.#pushedMs = mediaMs + ms;
    this.#recent.push({ frame: frame.slice(), mediaMs });
    while ((this.#recent[0]?.mediaMs ?? Infinity) < this.#pushedMs - this.#parts.options.maxReplayMs)
      this.#recent.shift();
    this.#connection?.push(frame, mediaMs);
    if (this.#isVoice(frame)) this.#noteVoice({ ms, mediaMs });
    if (this.#isStalled()) this.#replaceStalled();
  }

  finalize(): void {
    this.#connection?.finalize();
  }

  async close(): Promise<void> {
    if (this.#state !== 'lasting') return;
    this.#state = 'closing';
    clearTimeout(this.#timer);
    await this.#connection?.close();
    this.#end(null);
  }

  #connect(): void {
    this.#generation += 1;
    const generation = this.#generation;
    const { stt, asked } = this.#parts;
    this.#fault = null;
    this.#openedAt = null;
    this.#connection = stt.open({
      ...asked,
      onEvent: (event) => this.#isCurrent(generation) && this.#take(event),
    });
    if (generation > 1) this.#replay(this.#connection);
  }

  /** What a connection that was given up still says is not heard any more. */
  #isCurrent(generation: number): boolean {
    return this.#state !== 'closed' && generation === this.#generation;
  }

  #replay(connection: SttSession): void {
    const fromMs = Math.min(
      this.#pushedMs - this.#parts.options.replayMs,
      (this.#spokenFromMs ?? Infinity) - beforeVoiceMs,
    );
    const replayed = this.#recent.filter(({ mediaMs }) => mediaMs >= fromMs);
    this.#again = new HeardAgain(this.#finals, fromMs);
    for (const { frame, mediaMs } of replayed) connection.push(frame, mediaMs);
  }

  #take(event: SttEvent): void {
    switch (event.kind) {
      case 'fault':
        this.#fault = event.error;
        return;
      case 'closed':
        return this.#lost(this.#fault);
      case 'reconnected':
        return;
      case 'utterance_end':
        this.#heard();
        return this.#tell(event);
      case 'interim':
        return this.#takeInterim(event);
      case 'final':
        return this.#takeFinal(event);
    }
  }

  #takeInterim(event: SttEvent & { kind: 'interim' }): void {
    if (this.#openedAt === null) this.#opened();
    this.#heard();
    if (event.text !== '') this.#stallCount = 0;
    const text = this.#again === null ? event.text : this.#again.takeInterim(event.text);
    if (text !== '') this.#tell({ ...event, segmentId: this.#named(event.segmentId), text });
  }

  #takeFinal(event: SttEvent & { kind: 'final' }): void {
    this.#heard();
    this.#attempt = 0;
    this.#stallCount = 0;
    this.#spokenFromMs = null;
    const text = this.#again === null ? event.text : this.#again.takeFinal(event.text);
    this.#finals = [
      ...this.#finals.slice(1 - maxRemembered),
      { text: event.text, untilMs: event.endMs ?? this.#pushedMs },
    ];
    if (text !== '') this.#tell({ ...event, segmentId: this.#named(event.segmentId), text });
  }

  /** Vendors count segments per connection. */
  #named(segmentId: string): string {
    return `${this.#generation}:${segmentId}`;
  }

  #opened(): void {
    this.#openedAt = this.#parts.options.now();
    if (this.#generation > 1) this.#tell({ kind: 'reconnected' });
  }

  #heard(): void {
    this.#unheard = { voiceMs: 0, since: 0 };
  }

  #noteVoice({ ms, mediaMs }: { ms: number; mediaMs: number }): void {
    this.#spokenFromMs ??= mediaMs;
    // While a connection is being opened nothing can be heard.
    if (this.#openedAt === null) return;
    if (this.#unheard.voiceMs === 0) this.#unheard.since = this.#parts.options.now();
    this.#unheard.voiceMs += ms;
  }

  /** A server may be silent while its socket looks well. */
  #isStalled(): boolean {
    const { stt, options } = this.#parts;
    const limitMs =
      options.stallMs *
      patience[stt.capabilities.interims ? 'withInterims' : 'withoutInterims'] *
      2 ** this.#stallCount;
    return (
      this.#connection !== null &&
      this.#unheard.voiceMs >= minVoiceMs &&
      options.now() - this.#unheard.since >= limitMs
    );
  }

  #replaceStalled(): void {
    const stalled = this.#connection;
    this.#stallCount += 1;
    // It could be opened: that is no failed attempt.
    this.#attempt = 0;
    this.#lost(
      sttError('The speech recognition said nothing while somebody spoke', true, { reason: 'lost' }),
    );
    void stalled?.close();
  }

  #lost(fault: ProviderError | null): void {
    if (this.#state === 'closing') return this.#end(null);
    const { now, random, goodAfterMs, onLost } = this.#parts.options;
    this.#connection = null;
    this.#generation += 1;
    this.#heard();
    if (this.#openedAt !== null && now() - this.#openedAt >= goodAfterMs) this.#attempt = 0;
    const error = fault ?? sttError('The speech recognition ended the session', true, { reason: 'lost' });
    const waitMs = error.retryable
      ? reconnectWaitMs(this.#attempt, { retryAfterMs: error.retryAfterMs, random })
      : null;
    if (waitMs === null) return this.#end(error);
    this.#attempt += 1;
    onLost(error);
    this.#timer = setTimeout(() => this.#connect(), waitMs);
  }

  #end(error: ProviderError | null): void {
    if (this.#state === 'closed') return;
    if (error !== null) this.#tell({ kind: 'fault', error });
    this.#tell({ kind: 'closed' });
    this.#state = 'closed';
    this.#connection = null;
    clearTimeout(this.#timer);
  }

  #tell(event: SttEvent): void {
    if (this.#state !== 'closed') this.#parts.asked.onEvent(event);
  }

  #msOf(frame: Int16Array): number {
    return (frame.length * 1000) / this.#parts.asked.sampleRate;
  }
}
