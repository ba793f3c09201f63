import { maskSecret } from '../delivery/masking.ts';
import { own, ownText, type JsonObject } from '../graph/definition.ts';
import { looksMasked } from '../models/secrets.ts';
import { isSameOrigin, MovedSecretError } from '../secrets/addressee.ts';
import { credentialFields } from './providers.ts';

/** The credentials of a connection under their wire names; null if not given (contract 12.1). */
export type Credentials = JsonObject;

const secretFields = (provider: string): string[] =>
  Object.entries(credentialFields(provider)).flatMap(([name, { isSecret }]) => (isSecret ? [name] : []));

/** Credentials as answers show them: only the last four characters of every secret. */
export function maskCredentials(provider: string, credentials: Credentials): Record<string, unknown> {
  const secrets = secretFields(provider);
  return Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => [
      name,
      typeof value === 'string' && secrets.includes(name) ? maskSecret(value) : value,
    ]),
  );
}

/**
 * `sent` with stored secrets in place of their masks. `unknownMask`: the first field whose mask matches no
 * stored secret. Throws ValidationError for a mask beside another address than the stored one.
 */
export function restoreCredentials(
  provider: string,
  { sent, stored }: { sent: Credentials; stored: Credentials | null },
): { credentials: Record<string, unknown>; unknownMask: string | null } {
  const credentials: Record<string, unknown> = { ...sent };
  let unknownMask: string | null = null;
  for (const name of secretFields(provider)) {
    const [value, known] = [own(sent, name), stored === null ? undefined : own(stored, name)];
    const isKept = typeof known === 'string' && value === maskSecret(known);
    if (isKept && !isSameAddress(provider, sent, stored ?? {})) throw new MovedSecretError([name]);
    // guarantee: masked-secret-keeps-stored-one
    if (isKept) credentials[name] = known;
    else if (looksMasked(value)) unknownMask ??= name;
  }
  return { credentials, unknownMask };
}

function isSameAddress(provider: string, one: Credentials, other: Credentials): boolean {
  return Object.entries(credentialFields(provider)).every(
    ([name, { isAddress }]) =>
      isAddress !== true || isSameOrigin(ownText(one, name) ?? '', ownText(other, name) ?? ''),
  );
}

/** The text of a field; null if it is absent or empty. */
export function credentialText(credentials: Credentials, name: string): string | null {
  const value = own(credentials, name);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Whether every field that the provider requires has a value. */
export function hasRequired(provider: string, credentials: Credentials): boolean {
  return Object.entries(credentialFields(provider)).every(
    ([name, { isRequired }]) => !isRequired || credentialText(credentials, name) !== null,
  );
}

/** Whether two sets of credentials have the same secrets. */
export function haveSameSecrets(provider: string, left: Credentials, right: Credentials): boolean {
  return secretFields(provider).every((name) => credentialText(left, name) === credentialText(right, name));
}
