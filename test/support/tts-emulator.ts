import type { Timer } from '../../src/runtime/timer.ts';
import { createListener } from '../../emulators/modem/listener.ts';
import { startTtsEmulator, type TtsEmulator, type TtsEmulatorOptions } from '../../emulators/tts/server.ts';
import { createGoogleTts } from '../../src/providers/tts/google.ts';
import { createOpenAiTts } from '../../src/providers/tts/openai.ts';
import type {
  TtsAudio,
  TtsOptions,
  TtsPort,
  TtsRate,
  TtsStream,
  TtsVoice,
} from '../../src/providers/tts/port.ts';

export type TtsVendor = 'google' | 'openai';

export interface TtsBench {
  emulator: TtsEmulator;
  /** The real adapter with the emulator, or with another address. */
  tts(vendor: TtsVendor, more?: { url?: string; timer?: Timer }): TtsPort;
  close(): Promise<void>;
}

/** The emulator on free ports with adapters. The caller closes it. */
export async function startTtsBench(options: TtsEmulatorOptions = {}): Promise<TtsBench> {
  const emulator = await startTtsEmulator(options);
  const ports: TtsPort[] = [];
  return {
    emulator,
    tts(vendor, { url, timer } = {}) {
      const port =
        vendor === 'google'
          ? createGoogleTts({ endpoint: url ?? emulator.googleUrl, timer })
          : createOpenAiTts({ apiKey: 'simulated', baseUrl: url ?? emulator.openAiUrl, timer });
      ports.push(port);
      return port;
    },
    async close() {
      await Promise.all(ports.map((port) => port.close()));
      await emulator.close();
    },
  };
}

export const voices: Record<TtsVendor, TtsVoice> = {
  google: { model: null, voice: 'Kore', language: 'en-US' },
  openai: { model: null, voice: 'alloy', language: 'en-US' },
};

/** A reply during playback. */
export interface HeardReply {
  stream: TtsStream;
  pieces: TtsAudio[];
  /** The text in the audio, read by the modem. */
  text(): string;
  /** Resolves at its end with the thrown error, or null. */
  ended: Promise<unknown>;
}

/** Opens a reply, says the clauses and ends it unless more follow. */
export function hearReply(
  tts: TtsPort,
  options: Partial<TtsOptions> & Pick<TtsOptions, 'voice'>,
  clauses: readonly string[],
  more: { isOpen?: boolean } = {},
): HeardReply {
  const sampleRate = options.sampleRate ?? 8000;
  const stream = tts.open({ sampleRate, signal: new AbortController().signal, ...options });
  const pieces: TtsAudio[] = [];
  for (const clause of clauses) stream.say(clause);
  if (more.isOpen !== true) stream.end();
  const listen = async (): Promise<unknown> => {
    try {
      for await (const piece of stream.audio) pieces.push(piece);
      return null;
    } catch (error) {
      return error;
    }
  };
  return { stream, pieces, text: () => textOf(pieces, sampleRate), ended: listen() };
}

/** The text of the pieces, one after the other. */
export function textOf(pieces: readonly Pick<TtsAudio, 'samples'>[], sampleRate: TtsRate): string {
  const listener = createListener({ sampleRate, onText: () => undefined });
  for (const { samples } of pieces) listener.push(samples);
  listener.push(new Int16Array(sampleRate / 5));
  return listener.text;
}
