import { randomUUID } from 'node:crypto';
import { encodeSpeech } from '../../emulators/modem/encode-speech.ts';
import type { Fault } from '../../emulators/stt/faults.ts';
import { startSttEmulator, type SttEmulator } from '../../emulators/stt/server.ts';
import { createOpenAiStt } from '../../src/providers/stt/openai-realtime.ts';
import type { SttEvent, SttOptions, SttPort, SttSession } from '../../src/providers/stt/port.ts';
import type { SttTiming } from '../../src/providers/stt/socket-session.ts';
import { createTelnyxStt } from '../../src/providers/carrier/telnyx/stt.ts';
import { until } from './until.ts';

export type SttVendor = 'telnyx' | 'openai';

export interface SttBench {
  emulator: SttEmulator;
  /** The real adapter with a new key whose connections have these faults. */
  sttThat(
    vendor: SttVendor,
    faults?: Fault[],
    more?: { key?: string; url?: string; timing?: Partial<SttTiming>; onDropped?: (frames: number) => void },
  ): { stt: SttPort; key: string };
  close(): Promise<void>;
}

/** The emulator on a free port with adapters. The caller closes it. */
export async function startSttBench(): Promise<SttBench> {
  const emulator = await startSttEmulator();
  const ports: SttPort[] = [];
  return {
    emulator,
    sttThat(vendor, faults = [], { key = `simulated-${randomUUID()}`, url, timing, onDropped } = {}) {
      emulator.faults.set(key, faults);
      const options = {
        apiKey: key,
        ...(timing === undefined ? {} : { timing }),
        ...(onDropped === undefined ? {} : { onDropped }),
      };
      const stt =
        vendor === 'telnyx'
          ? createTelnyxStt({ ...options, url: url ?? emulator.telnyxUrl })
          : createOpenAiStt({ ...options, url: url ?? emulator.openAiUrl });
      ports.push(stt);
      return { stt, key };
    },
    async close() {
      await Promise.all(ports.map((port) => port.close()));
      await emulator.close();
    },
  };
}

/** A session and all its events, in order. */
export interface Watched {
  session: SttSession;
  events: SttEvent[];
  /** Plays the sounds frame by frame, as fast as they are accepted. */
  play(...sounds: Int16Array[]): void;
  /** The texts of the finals. */
  finals(): string[];
  /** The first past or future event of a kind. */
  next<Kind extends SttEvent['kind']>(kind: Kind, times?: number): Promise<SttEvent & { kind: Kind }>;
}

export function openWatched(stt: SttPort, options: Partial<SttOptions> = {}): Watched {
  const events: SttEvent[] = [];
  const sampleRate = options.sampleRate ?? 8000;
  const session = stt.open({
    sampleRate,
    language: 'en-US',
    model: null,
    keyTerms: [],
    onEvent: (event) => events.push(event),
    ...options,
  });
  let mediaMs = 0;
  return {
    session,
    events,
    play(...sounds) {
      for (const sound of sounds) {
        for (const frame of framesOf(sound, sampleRate)) {
          session.push(frame, mediaMs);
          mediaMs += 20;
        }
      }
    },
    finals: () => events.flatMap((event) => (event.kind === 'final' ? [event.text] : [])),
    async next(kind, times = 1) {
      const isAsked = (event: SttEvent): event is SttEvent & { kind: typeof kind } => event.kind === kind;
      return await until(`${kind} number ${times}`, async () => events.filter(isAsked)[times - 1]);
    },
  };
}

/** Pieces of 20 ms, the last one padded with silence. */
export function framesOf(sound: Int16Array, sampleRate: number): Int16Array[] {
  const size = sampleRate / 50;
  return Array.from({ length: Math.ceil(sound.length / size) }, (_, index) => {
    const frame = new Int16Array(size);
    frame.set(sound.subarray(index * size, (index + 1) * size));
    return frame;
  });
}

export const spoken = (text: string, sampleRate: 8000 | 16000 = 8000): Int16Array =>
  encodeSpeech(text, sampleRate);
export const silence = (ms: number, sampleRate = 8000): Int16Array =>
  new Int16Array((ms * sampleRate) / 1000);
