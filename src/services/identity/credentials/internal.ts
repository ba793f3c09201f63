import { IsNull, type EntityManager } from 'typeorm';
import { validationRecord } from '../../../contract/lax/records.ts';
import { findRow } from '../../../db/rows.ts';
import { credentials, type CredentialRow, type CredentialType } from '../../../db/tables/credentials.ts';
import { NotFoundError, PreconditionError, ValidationError } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/graph/definition.ts';
import { readAllowedHost } from '../../../domain/secrets/allowed-hosts.ts';
import { isUuid } from '../../../domain/uuid.ts';
import type { SecretPlace } from '../../../providers/secrets/port.ts';
import type { TakenName } from '../../kernel/index.ts';

const maxNameCharacters = 255;

/** The keys that `credential_data` must hold as text, by type (contract 9.3). */
const neededKeys: Record<CredentialType, readonly string[]> = {
  none: [],
  api_key: ['header_name', 'api_key'],
  bearer_token: ['token'],
  basic_auth: ['username', 'password'],
  custom_header: ['header_name', 'header_value'],
};

/**
 * The data to store for a type: only the needed keys. Throws PreconditionError (400) that names the missing
 * ones.
 */
export function readCredentialData(type: CredentialType, data: JsonObject): Record<string, string> {
  const missing = neededKeys[type].filter((key) => typeof data[key] !== 'string' || data[key] === '');
  if (missing.length > 0)
    throw new PreconditionError(
      `credential_data needs ${missing.join(', ')} for a credential of type ${type}`,
      { status: 400 },
    );
  return Object.fromEntries(neededKeys[type].map((key) => [key, String(data[key])]));
}

/**
 * The hosts in their normal form; null and an empty list mean every host. Throws ValidationError with the
 * wire's record for an entry that is not a host.
 */
export function readAllowedHosts(entries: readonly string[] | null): string[] | null {
  if (entries === null || entries.length === 0) return null;
  return entries.map((entry, index) => {
    const host = readAllowedHost(entry);
    if (host !== null) return host;
    const fault = {
      type: 'value_error',
      msg: 'Value error, this is neither a host nor host:port; leave out scheme and path',
      input: entry,
      ctx: { error: {} },
    };
    throw new ValidationError('An allowed host is not valid', {
      detail: [validationRecord(['body', 'allowed_hosts', index], fault)],
    });
  });
}

export function credentialPlace(organizationId: number): SecretPlace {
  return { table: 'credentials', column: 'data_encrypted', organizationId };
}

/**
 * The credential. Throws NotFoundError if it is unknown, deleted or of another organization. Lock it for a
 * change, so that the change does not restore a deleted credential.
 */
export async function findLive(
  manager: EntityManager,
  organizationId: number,
  uuid: string,
  { locked = false }: { locked?: boolean } = {},
): Promise<CredentialRow> {
  const where = { uuid, organizationId, deletedAt: IsNull() };
  const row = isUuid(uuid) ? await findRow(manager, credentials, where, { isLocked: locked }) : null;
  if (row === null) throw new NotFoundError('Credential not found');
  return row;
}

/** Throws ValidationError with the wire's record for a name that is too long (contract 0.4). */
export function requireName(name: string): void {
  if (Array.from(name).length <= maxNameCharacters) return;
  const fault = {
    type: 'string_too_long',
    msg: `String should have at most ${maxNameCharacters} characters`,
    input: name,
    ctx: { max_length: maxNameCharacters },
  };
  throw new ValidationError('The name is too long', { detail: [validationRecord(['body', 'name'], fault)] });
}

/** Names are unique in an organization. */
export const takenCredentialName = (name: string): TakenName => ({
  key: 'uq_credentials_live_name',
  message: `A credential named '${name}' already exists`,
});
