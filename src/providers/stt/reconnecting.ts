import type { ProviderError } from '../../domain/errors.ts';
import { followVoice, voiceStartMs } from '../../domain/audio/voice-activity.ts';
import { HeardAgain, type HeardFinal } from '../../domain/speech/heard-again.ts';
import { reconnectWaitMs } from '../../domain/speech/retry-plan.ts';
import { guarded } from '../../runtime/guarded.ts';
import { sttError } from './failures.ts';
import type { SttEvent, SttOptions, SttPort, SttSession } from './port.ts';

export interface ReconnectingOptions {
  /**
   * If someone speaks this long and the recognizer reports nothing, the connection counts as dead. The limit
   * doubles with every further connection that reports nothing: then the sound is noise.
   */
  stallMs: number;
  /**
   * Minimum of the newest audio that is replayed to a new connection. All speech since the last final is
   * replayed, up to `maxReplayMs`.
   */
  replayMs: number;
  maxReplayMs: number;
  /** A connection that lasted this long resets the count of attempts. */
  goodAfterMs: number;
  /** Monotonic clock, milliseconds. */
  now: () => number;
  random: () => number;
  /** A connection was replaced; `why` is the reason. */
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
 * Wraps a port: sessions survive a lost connection. This layer owns the retries. It replaces a connection
 * that is lost, or that reports nothing while someone speaks, replays the last seconds to the new one, and
 * removes repeated words. It sends `fault` and `closed` only when it gives up or when a retry cannot help.
 */
export function reconnectingStt(stt: SttPort, options: Partial<ReconnectingOptions> = {}): SttPort {
  return {
    simulated: stt.simulated,
    provider: stt.provider,
    capabilities: stt.capabilities,
    open: (asked) => new ReconnectingSession({ stt, asked, options: { ...defaults, ...options } }),
    warm: () => stt.warm(),
    close: () => stt.close(),
  };
}

/** Less voice than this may be a cough, which needs no words. */
const minVoiceMs = 600;
/** Recognizers without interims report nothing before the end of speech. */
const patience = { withInterims: 1, withoutInterims: 5 };
/** The first sound of a word is quieter than voice, and voice is detected after it began. */
const beforeVoiceMs = 300 + voiceStartMs;
/** Only finals within the replayed time can be repeated. */
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

class ReconnectingSession implements SttSession {
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
  /** Voice that brought no report yet; `since` is when the first of it was sent. */
  #unheard = { voiceMs: 0, since: 0 };
  /** Position of the first speech after the last final; null when there is none. */
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
      onEvent: guarded((event: SttEvent) => this.#isCurrent(generation) && this.#take(event), this.#giveUp),
    });
    if (generation > 1) this.#replay(this.#connection);
  }

  /** Events of a connection that was replaced are ignored. */
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
    // A connection that is not open yet cannot report anything.
    if (this.#openedAt === null) return;
    if (this.#unheard.voiceMs === 0) this.#unheard.since = this.#parts.options.now();
    this.#unheard.voiceMs += ms;
  }

  /** A server may report nothing although its socket works. */
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
    // The connection was open, so the attempt did not fail.
    this.#attempt = 0;
    this.#lost(
      sttError('The speech recognition reported nothing while someone spoke', true, { reason: 'lost' }),
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
    this.#timer = setTimeout(
      guarded(() => this.#connect(), this.#giveUp),
      waitMs,
    );
  }

  readonly #giveUp = (cause: unknown): void => {
    this.#connection?.close().catch(() => undefined);
    this.#end(sttError('The speech recognition failed', false, { reason: 'lost', cause }));
  };

  #end(error: ProviderError | null): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#connection = null;
    clearTimeout(this.#timer);
    const { onEvent } = this.#parts.asked;
    if (error !== null) onEvent({ kind: 'fault', error });
    onEvent({ kind: 'closed' });
  }

  #tell(event: SttEvent): void {
    if (this.#state !== 'closed') this.#parts.asked.onEvent(event);
  }

  #msOf(frame: Int16Array): number {
    return (frame.length * 1000) / this.#parts.asked.sampleRate;
  }
}
