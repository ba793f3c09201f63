import { ttsVendors } from '../../contract/data/voice-vendors.ts';
import type { ChosenVoice } from './choose-voice.ts';
import type { LlmLevel } from './llm-settings.ts';
import {
  defaultLanguage,
  defaultTtsVendor,
  defaultVoices,
  isTtsVendor,
  isSttVendor,
  sttVendor,
  ttsVendor,
  type TtsVendorName,
} from './voice-catalog.ts';
import { readVoice, voiceFault } from './voice-settings.ts';

/** The voice and the speech recognition of an installation. */
export interface InstalledVoice {
  tts: {
    /** The name for people: the vendor, or `simulated`. */
    shownAs: string;
    provider: TtsVendorName;
    model: string;
    /** Null = the vendor's default. */
    voice: string | null;
    language: string | null;
    speakingRate: number;
  };
  stt: { shownAs: string; provider: string; model: string; language: string | null };
}

/** The voice when the operator has chosen none. */
export const defaultTts: InstalledVoice['tts'] = {
  shownAs: defaultTtsVendor,
  provider: defaultTtsVendor,
  model: ttsVendors[defaultTtsVendor].models[0],
  voice: null,
  language: null,
  speakingRate: 1,
};

export interface ResolvedTts {
  level: LlmLevel;
  /** The name in usage and context: the vendor, or `simulated`. */
  shownAs: string;
  provider: TtsVendorName;
  model: string;
  /** As the vendor calls it: `en-US-Chirp3-HD-Kore`, `marin`. */
  voice: string;
  /** BCP 47. */
  language: string;
  /** 1 = as fast as usual. */
  speakingRate: number;
  /** The customer's; null = the installation's is used. */
  key: { kind: 'api_key' | 'credentials'; value: string } | null;
  /**
   * Why existing settings were not used, for the log, without their values; null when they were used or there
   * are none.
   */
  fault: string | null;
}

export interface ResolvedStt {
  level: LlmLevel;
  shownAs: string;
  provider: string;
  model: string;
  language: string;
  /** The customer's API key; null = the installation's is used. */
  key: string | null;
  fault: string | null;
}

/**
 * Resolves the voice to speak with. Without a key of the customer, the installation's vendor and model speak,
 * with the chosen voice, language and speed.
 */
export function resolvedTts(chosen: ChosenVoice | null, installed: InstalledVoice['tts']): ResolvedTts {
  const fault =
    chosen === null ? null : (voiceFault('tts', withProvider(chosen, installed.provider))?.message ?? null);
  const settings =
    chosen === null || fault !== null ? null : readVoice(withProvider(chosen, installed.provider));
  const key = settings === null ? null : keyOf(settings);
  const provider = settings?.provider;
  if (settings === null || !isTtsVendor(provider) || (key === null && provider !== installed.provider)) {
    return {
      ...ofInstallation(installed),
      fault: fault ?? (settings === null ? null : 'there is no key for the provider'),
    };
  }
  const language = settings.language ?? installed.language ?? defaultLanguage;
  const voice =
    settings.voice ?? (provider === installed.provider ? installed.voice : null) ?? defaultVoices[provider];
  return {
    level: chosen?.level ?? 'installation',
    shownAs: key === null ? installed.shownAs : shownAs(provider, key.value),
    provider,
    model:
      key === null ? installed.model : (settings.model ?? ttsVendor(provider).models[0] ?? installed.model),
    voice: vendorsName({ provider, voice, language }),
    language,
    speakingRate: settings.speakingRate ?? installed.speakingRate,
    key,
    fault: null,
  };
}

/** Resolves the speech recognition in the same way. */
export function resolvedStt(chosen: ChosenVoice | null, installed: InstalledVoice['stt']): ResolvedStt {
  const fault =
    chosen === null ? null : (voiceFault('stt', withProvider(chosen, installed.provider))?.message ?? null);
  const settings =
    chosen === null || fault !== null ? null : readVoice(withProvider(chosen, installed.provider));
  const provider = settings?.provider;
  if (
    settings === null ||
    !isSttVendor(provider) ||
    (settings.apiKey === null && provider !== installed.provider)
  ) {
    const language = installed.language ?? defaultLanguage;
    return {
      level: 'installation',
      ...installed,
      language,
      key: null,
      fault: fault ?? (settings === null ? null : 'there is no key for the provider'),
    };
  }
  return {
    level: chosen?.level ?? 'installation',
    shownAs: settings.apiKey === null ? installed.shownAs : shownAs(provider, settings.apiKey),
    provider,
    model:
      settings.apiKey === null
        ? installed.model
        : (settings.model ?? sttVendor(provider).models[0] ?? installed.model),
    language: settings.language ?? installed.language ?? defaultLanguage,
    key: settings.apiKey,
    fault: null,
  };
}

/** Settings without a vendor mean the installation's. */
function withProvider({ settings }: ChosenVoice, provider: string): ChosenVoice['settings'] {
  return { provider, ...settings };
}

function ofInstallation({ voice, language: theirs, ...installed }: InstalledVoice['tts']): ResolvedTts {
  const language = theirs ?? defaultLanguage;
  return {
    level: 'installation',
    ...installed,
    voice: vendorsName({
      provider: installed.provider,
      voice: voice ?? defaultVoices[installed.provider],
      language,
    }),
    language,
    key: null,
    fault: null,
  };
}

function keyOf({
  apiKey,
  credentials,
}: {
  apiKey: string | null;
  credentials: string | null;
}): ResolvedTts['key'] {
  if (credentials !== null) return { kind: 'credentials', value: credentials };
  return apiKey === null ? null : { kind: 'api_key', value: apiKey };
}

/** The vendor's name of a voice: Google's names contain the language. */
function vendorsName({
  provider,
  voice,
  language,
}: {
  provider: TtsVendorName;
  voice: string;
  language: string;
}): string {
  return provider === 'google' && !voice.includes('-Chirp3-HD-') ? `${language}-Chirp3-HD-${voice}` : voice;
}

function shownAs(provider: string, key: string): string {
  return key.startsWith('simulated') ? 'simulated' : provider;
}
