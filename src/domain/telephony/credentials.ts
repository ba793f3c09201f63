import { maskSecret } from '../delivery/masking.ts';
import { own, type JsonObject } from '../graph/definition.ts';
import { looksMasked } from '../models/secrets.ts';
import { credentialFields } from './providers.ts';

/** The credentials of a connection by the names of the wire; what was not given is null (contract 12.1). */
export type Credentials = JsonObject;

const secretFields = (provider: string): string[] =>
  Object.entries(credentialFields(provider)).flatMap(([name, { isSecret }]) => (isSecret ? [name] : []));

/** As answers show them: of every secret the last four characters. */
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
 * `sent` with the stored secret in place of its mask. `unknownMask`: the first field that has a mask of
 * nothing that is stored.
 */
export function restoreCredentials(
  provider: string,
  { sent, stored }: { sent: Credentials; stored: Credentials | null },
): { credentials: Record<string, unknown>; unknownMask: string | null } {
  const credentials: Record<string, unknown> = { ...sent };
  let unknownMask: string | null = null;
  for (const name of secretFields(provider)) {
    const [value, known] = [own(sent, name), stored === null ? undefined : own(stored, name)];
    // guarantee: masked-secret-comes-back
    if (typeof known === 'string' && value === maskSecret(known)) credentials[name] = known;
    else if (looksMasked(value)) unknownMask ??= name;
  }
  return { credentials, unknownMask };
}

/** The text of a field; null where there is none. */
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

/** Whether two sets of credentials prove the same account: each secret is equal. */
export function haveSameSecrets(provider: string, left: Credentials, right: Credentials): boolean {
  return secretFields(provider).every((name) => credentialText(left, name) === credentialText(right, name));
}
