import { maskSecret } from '../delivery/masking.ts';

/*
 * A secret inside a document that is otherwise in clear (a graph, settings, headers): `sealed:<sealed>:<length>:<last characters>`.
 * Length and last characters are those that answers show (contract 1.1), so that showing it needs no key.
 */
const form = /^sealed:(v\d+(?:\.[\w-]+){3}):(\d{1,9}):(.*)$/su;

export interface SealedText {
  /** For the box that made it. */
  sealed: string;
  /** As answers show it. */
  mask: string;
}

/** `sealed` is what a box made of `plain`. */
export function writeSealedText(sealed: string, plain: string): string {
  const shown = maskSecret(plain).replace(/^\*+/u, '');
  return `sealed:${sealed}:${plain.length}:${plain.endsWith(shown) ? shown : ''}`;
}

/** Null for a text in clear. */
export function readSealedText(stored: string): SealedText | null {
  const [, sealed, length, shown] = form.exec(stored) ?? [];
  if (sealed === undefined || length === undefined || shown === undefined) return null;
  return { sealed, mask: '*'.repeat(Math.max(0, Number(length) - shown.length)) + shown };
}

/** A stored secret, sealed or in clear, as answers show it. */
export function shownSecret(stored: string): string {
  return readSealedText(stored)?.mask ?? maskSecret(stored);
}
