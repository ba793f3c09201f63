import { ValidationError } from '../errors.ts';

/**
 * Scheme, host and port of an address; null if it is not a URL, or if a template is part of its host, because
 * then a value decides who gets the request.
 */
export function originOf(address: string): string | null {
  const text = address.trim();
  if (!URL.canParse(text)) return null;
  const { origin, host, username, password } = new URL(text);
  return /[{}]/u.test(`${username}${password}${host}`) ? null : origin;
}

/** True if a secret for one address may also be used with the other (contract 1.1). */
export function isSameOrigin(one: string, other: string): boolean {
  if (one.trim() === other.trim()) return true;
  const origin = originOf(one);
  // guarantee: masked-secret-bound-to-address
  return origin !== null && origin === originOf(other);
}

const refusal =
  'a stored secret is used only with the vendor, scheme, host and port that it was given for; send the secret in full';

/** A masked secret came back beside another address than the stored one. */
export class MovedSecretError extends ValidationError {
  /** The path of the field, below the document that has the secret. */
  readonly place: readonly string[];
  readonly reason = refusal;

  constructor(place: readonly string[]) {
    super(`${place.join('.')}: ${refusal}`);
    this.place = place;
  }
}
