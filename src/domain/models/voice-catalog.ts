import { sttVendors, ttsVendors, type SttVendor, type TtsVendor } from '../../contract/data/voice-vendors.ts';

export type TtsVendorName = keyof typeof ttsVendors;
export type SttVendorName = keyof typeof sttVendors;

export const ttsVendorNames: readonly TtsVendorName[] = Object.keys(ttsVendors).filter(isTtsVendor);
export const sttVendorNames: readonly SttVendorName[] = Object.keys(sttVendors).filter(isSttVendor);

export const defaultTtsVendor = 'google' satisfies TtsVendorName;

/** The voice of a vendor when none is chosen. */
export const defaultVoices: Readonly<Record<TtsVendorName, string>> = { google: 'Kore', openai: 'marin' };
export const defaultLanguage = 'en-US';

export function isTtsVendor(name: unknown): name is TtsVendorName {
  return typeof name === 'string' && Object.hasOwn(ttsVendors, name);
}

export function isSttVendor(name: unknown): name is SttVendorName {
  return typeof name === 'string' && Object.hasOwn(sttVendors, name);
}

export function ttsVendor(name: TtsVendorName): TtsVendor {
  return ttsVendors[name];
}

export function sttVendor(name: SttVendorName): SttVendor {
  return sttVendors[name];
}
