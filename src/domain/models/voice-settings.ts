import { isObject, own, type JsonObject } from '../graph/definition.ts';
import { readSealedText } from '../secrets/sealed-text.ts';
import {
  isSttVendor,
  isTtsVendor,
  sttVendor,
  ttsVendor,
  ttsVendorNames,
  sttVendorNames,
} from './voice-catalog.ts';

/** The two services of a spoken call besides the language model. */
export type VoiceService = 'tts' | 'stt';

/** Chosen settings of a voice or of speech recognition (contract 13.3); null = not chosen. */
export interface VoiceSettings {
  provider: string | null;
  model: string | null;
  /** For Google the short name, `Kore`. Always null for speech recognition. */
  voice: string | null;
  /** BCP 47. */
  language: string | null;
  /** 1 = normal speed; null for speech recognition. */
  speakingRate: number | null;
  apiKey: string | null;
  /** A Google service account key, as JSON text. */
  credentials: string | null;
}

/** The full name of a Google voice: `en-US-Chirp3-HD-Kore`. */
const wholeName = /^([a-z]{2,3}-[A-Z]{2})-Chirp3-HD-(\w+)$/;

/** Reads stored settings. */
export function readVoice(settings: JsonObject): VoiceSettings {
  const written = text(settings, 'voice');
  const [, languageOfVoice, name] = wholeName.exec(written ?? '') ?? [];
  const speed = own(settings, 'speed');
  return {
    provider: text(settings, 'provider'),
    model: text(settings, 'model'),
    voice: name ?? written,
    language: text(settings, 'language') ?? languageOfVoice ?? null,
    speakingRate: typeof speed === 'number' ? speed : null,
    apiKey: text(settings, 'api_key'),
    credentials: text(settings, 'credentials'),
  };
}

export interface VoiceFault {
  field: 'provider' | 'model' | 'voice' | 'language' | 'speed' | 'api_key' | 'credentials';
  message: string;
  /** The allowed values, if they are a list. */
  oneOf?: readonly string[];
}

/**
 * Why the settings cannot be used; null when they can. A key may be missing, and in an override the vendor,
 * too: then the installation's is used.
 */
export function voiceFault(service: VoiceService, settings: JsonObject): VoiceFault | null {
  const read = readVoice(settings);
  const names: readonly string[] = service === 'tts' ? ttsVendorNames : sttVendorNames;
  if (read.provider !== null && !names.includes(read.provider))
    return { field: 'provider', message: 'the provider is not supported', oneOf: names };
  return shapeFault(settings) ?? (service === 'tts' ? ttsFault(read, settings) : sttFault(read));
}

function ttsFault(
  { provider, model, voice, speakingRate, credentials }: VoiceSettings,
  settings: JsonObject,
): VoiceFault | null {
  if (!isTtsVendor(provider)) return null;
  const vendor = ttsVendor(provider);
  if (model !== null && !vendor.hasOtherModels && !vendor.models.includes(model))
    return { field: 'model', message: 'the model is not known', oneOf: vendor.models };
  if (voice !== null && !vendor.hasOtherVoices && !vendor.voices.some(({ id }) => id === voice))
    return {
      field: 'voice',
      message: `${provider} has no such voice; GET /user/configurations/voices/${provider} lists them`,
    };
  if (speakingRate !== null && (speakingRate < vendor.speed.min || speakingRate > vendor.speed.max))
    return { field: 'speed', message: `the speed must be from ${vendor.speed.min} to ${vendor.speed.max}` };
  if (own(settings, 'speed') != null && speakingRate === null)
    return { field: 'speed', message: 'the speed must be a number' };
  return credentials === null || isServiceAccount(credentials)
    ? null
    : {
        field: 'credentials',
        message: 'the credentials are not a service account key (JSON with client_email and private_key)',
      };
}

function sttFault({ provider, model }: VoiceSettings): VoiceFault | null {
  if (!isSttVendor(provider) || model === null) return null;
  const { models, hasOtherModels } = sttVendor(provider);
  if (model === 'gpt-realtime-whisper')
    return { field: 'model', message: 'the model does not detect the end of speech' };
  return hasOtherModels || models.includes(model)
    ? null
    : { field: 'model', message: 'the model is not known', oneOf: models };
}

/** Checks that all texts are texts and the language is a tag. */
function shapeFault(settings: JsonObject): VoiceFault | null {
  for (const field of ['model', 'voice', 'language', 'api_key', 'credentials'] as const) {
    const value = own(settings, field);
    if (value != null && typeof value !== 'string') return { field, message: 'it must be a text' };
  }
  const language = text(settings, 'language');
  return language === null || /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(language)
    ? null
    : { field: 'language', message: 'the language must be a tag such as en-US' };
}

/** Checks a service account key; a masked or sealed one was checked when it was sent. */
function isServiceAccount(credentials: string): boolean {
  if (credentials.startsWith('*') || readSealedText(credentials) !== null) return true;
  try {
    const key: unknown = JSON.parse(credentials);
    return (
      isObject(key) &&
      typeof own(key, 'client_email') === 'string' &&
      typeof own(key, 'private_key') === 'string'
    );
  } catch {
    return false;
  }
}

/** The trimmed text; null when it is absent or blank. */
function text(settings: JsonObject, key: string): string | null {
  const value = own(settings, key);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
