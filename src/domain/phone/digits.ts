import { readDialed } from './dialed.ts';

/** A public number as it is compared and stored: digits with country code, no plus; null for what cannot be dialed (contract 5.4). */
export function phoneDigits(text: string): string | null {
  return readDialed(text)?.slice(1) ?? null;
}
