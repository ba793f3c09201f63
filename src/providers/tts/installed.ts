import type { InstalledVoice, ResolvedTts } from '../../domain/models/resolved-voice.ts';
import { ttsVendors } from '../../contract/data/voice-vendors.ts';
import type { TtsVendorName } from '../../domain/models/voice-catalog.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { Tracing } from '../../runtime/tracing.ts';
import { createClips, type Clips } from './clips.ts';
import { createGoogleTts } from './google.ts';
import { measuredTts } from './measured.ts';
import { createOpenAiTts } from './openai.ts';
import type { TtsPort, TtsVoice } from './port.ts';
import { tracedTts } from './traced.ts';

export interface TtsSettings {
  provider: TtsVendorName;
  /** Undefined means the vendor's first model. */
  model: string | undefined;
  voice: string | undefined;
  /** BCP 47. */
  language: string | undefined;
  google: {
    /** The path of a service account's key file is set; Google's library reads it. */
    hasCredentials: boolean;
    /** `http://` selects an emulator. */
    endpoint: string | undefined;
  };
  openai: { apiKey: string | undefined; baseUrl: string | undefined };
}

/** A customer's key and its vendor. */
export interface CustomerTts {
  provider: TtsVendorName;
  key: NonNullable<ResolvedTts['key']>;
}

export interface InstalledTts {
  /** The installation's voice. */
  tts: TtsPort;
  /** The installation's voice, as calls refer to it. */
  voice: InstalledVoice['tts'];
  /** The installation's voice is configured. */
  hasTts: boolean;
  /** Fixed phrases in `tts`. Other ports need clips of their own. */
  clips: Clips;
  /** Voices with customers' keys. Equal keys share a connection. */
  customerTts: (choice: CustomerTts) => TtsPort;
  /** Closes all ports. */
  close: () => Promise<void>;
}

export interface TtsParts {
  settings: TtsSettings;
  metrics: Metrics;
  tracing: Tracing;
}

/** Maximum number of customers' connections; the least recently used one is dropped. */
const maxCustomers = 200;

/** The voices of a process, measured and traced. Nothing is sent before `warm` or the first clause. */
export function createInstalledTts({ settings, metrics, tracing }: TtsParts): InstalledTts {
  const { provider, model, voice, language, google, openai } = settings;
  const watched = (tts: TtsPort): TtsPort => tracedTts(measuredTts(tts, metrics), tracing);
  const tts = watched(
    provider === 'google'
      ? createGoogleTts({ endpoint: google.endpoint })
      : createOpenAiTts({ apiKey: openai.apiKey ?? '', baseUrl: openai.baseUrl }),
  );
  const customers = new Map<string, TtsPort>();
  return {
    tts,
    voice: {
      shownAs: tts.provider,
      provider,
      model: model ?? ttsVendors[provider].models[0],
      voice: voice ?? null,
      language: language ?? null,
      speakingRate: 1,
    },
    hasTts:
      provider === 'google'
        ? google.hasCredentials || google.endpoint !== undefined
        : openai.apiKey !== undefined || openai.baseUrl !== undefined,
    clips: createClips({ tts }),
    customerTts(choice) {
      const name = JSON.stringify(choice);
      const known = customers.get(name) ?? watched(customerPort(choice, settings));
      customers.delete(name);
      customers.set(name, known);
      const [oldest] = customers;
      if (customers.size > maxCustomers && oldest !== undefined) customers.delete(oldest[0]);
      return known;
    },
    async close() {
      await Promise.all([tts, ...customers.values()].map((each) => each.close()));
    },
  };
}

/**
 * Only an emulator accepts a key that begins with `simulated`, so such a key goes to the installation's
 * emulator.
 */
function customerPort({ provider, key }: CustomerTts, { google, openai }: TtsSettings): TtsPort {
  const isSimulated = key.value.startsWith('simulated');
  if (provider === 'openai')
    return createOpenAiTts({ apiKey: key.value, baseUrl: isSimulated ? openai.baseUrl : undefined });
  return createGoogleTts({
    key,
    endpoint: google.endpoint?.startsWith('http:') === true && !isSimulated ? undefined : google.endpoint,
  });
}

/** The port for a call's voice: with the customer's key, or the installation's. */
export function ttsOf(
  { tts, customerTts }: Pick<InstalledTts, 'tts' | 'customerTts'>,
  { provider, key }: Pick<ResolvedTts, 'provider' | 'key'>,
): TtsPort {
  return key === null ? tts : customerTts({ provider, key });
}

/** A call's voice in the form that the port takes. */
export function voiceOf({
  model,
  voice,
  language,
  speakingRate,
}: Pick<ResolvedTts, 'model' | 'voice' | 'language' | 'speakingRate'>): TtsVoice {
  return { model, voice, language, speakingRate };
}
