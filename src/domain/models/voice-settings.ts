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

/** The two services of a spoken call beside the language model. */
export type VoiceService = 'tts' | 'stt';

/** What somebody chose of a voice, or of speech recognition (contract 13.3); null = they did not say. */
export interface VoiceSettings {
  provider: string | null;
  model: string | null;
  /** Of Google the bare name, `Kore`. Always null of speech recognition. */
  voice: string | null;
  /** BCP 47. */
  language: string | null;
  /** 1 = as fast as usual; null of speech recognition. */
  speakingRate: number | null;
  apiKey: string | null;
  /** A service account of Google, as JSON text. */
  credentials: string | null;
}

/** A whole name of a voice of Google: `en-US-Chirp3-HD-Kore`. */
const wholeName = /^([a-z]{2,3}-[A-Z]{2})-Chirp3-HD-(\w+)$/;

/** As one asks by it. */
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
  /** The values that would do, where that is a list. */
  oneOf?: readonly string[];
}

/**
 * Why settings cannot be used; null when they can. A key may be missing, and in an override the vendor too:
 * then the installation's is meant.
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
    return { field: 'model', message: 'there is no such model', oneOf: vendor.models };
  if (voice !== null && !vendor.hasOtherVoices && !vendor.voices.some(({ id }) => id === voice))
    return {
      field: 'voice',
      message: `${provider} has no such voice; GET /user/configurations/voices/${provider} lists them`,
    };
  if (speakingRate !== null && (speakingRate < vendor.speed.min || speakingRate > vendor.speed.max))
    return { field: 'speed', message: `the speed is from ${vendor.speed.min} to ${vendor.speed.max}` };
  if (own(settings, 'speed') != null && speakingRate === null)
    return { field: 'speed', message: 'the speed is a number' };
  return credentials === null || isServiceAccount(credentials)
    ? null
    : {
        field: 'credentials',
        message: 'the credentials are no service account key (JSON with client_email and private_key)',
      };
}

function sttFault({ provider, model }: VoiceSettings): VoiceFault | null {
  if (!isSttVendor(provider) || model === null) return null;
  const { models, hasOtherModels } = sttVendor(provider);
  if (model === 'gpt-realtime-whisper')
    return { field: 'model', message: 'the model does not notice when somebody stops speaking' };
  return hasOtherModels || models.includes(model)
    ? null
    : { field: 'model', message: 'there is no such model', oneOf: models };
}

/** What is said has to be said in words. */
function shapeFault(settings: JsonObject): VoiceFault | null {
  for (const field of ['model', 'voice', 'language', 'api_key', 'credentials'] as const) {
    const value = own(settings, field);
    if (value != null && typeof value !== 'string') return { field, message: 'it is a text' };
  }
  const language = text(settings, 'language');
  return language === null || /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(language)
    ? null
    : { field: 'language', message: 'the language is a tag such as en-US' };
}

/** One that is masked or sealed cannot be looked at; when it was given it was. */
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

/** Trimmed; null where nothing is said. */
function text(settings: JsonObject, key: string): string | null {
  const value = own(settings, key);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}
