import { maskSecret } from '../delivery/masking.ts';

/*
 * A secret inside a document that is otherwise in clear (a definition, settings, headers):
 * `sealed:<sealed>:<length>:<last characters>`. Answers show the length and the last characters (contract
 * 1.1), so that showing a secret needs no key.
 */
const form = /^sealed:(v\d+(?:\.[\w-]+){3}):(\d{1,9}):(.*)$/su;

export interface SealedText {
  /** The sealed secret, for the box that made it. */
  sealed: string;
  /** The secret as answers show it. */
  mask: string;
}

/** Writes a sealed secret with its length and last characters. `sealed` is `plain`, sealed by a box. */
export function writeSealedText(sealed: string, plain: string): string {
  const shown = maskSecret(plain).replace(/^\*+/u, '');
  return `sealed:${sealed}:${plain.length}:${plain.endsWith(shown) ? shown : ''}`;
}

/** Reads a sealed secret; null for a text in clear. */
export function readSealedText(stored: string): SealedText | null {
  const [, sealed, length, shown] = form.exec(stored) ?? [];
  if (sealed === undefined || length === undefined || shown === undefined) return null;
  return { sealed, mask: '*'.repeat(Math.max(0, Number(length) - shown.length)) + shown };
}

/** A stored secret, sealed or in clear, as answers show it. */
export function shownSecret(stored: string): string {
  return readSealedText(stored)?.mask ?? maskSecret(stored);
}
