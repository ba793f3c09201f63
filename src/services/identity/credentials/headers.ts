import { IsNull, type DataSource } from 'typeorm';
import { findRow } from '../../../db/rows.ts';
import { credentials, type CredentialType } from '../../../db/tables/credentials.ts';
import { isObject, ownText } from '../../../domain/graph/definition.ts';
import { isAllowedHost } from '../../../domain/secrets/allowed-hosts.ts';
import type { Refused } from '../../../providers/http/port.ts';
import { isUuid } from '../../../domain/uuid.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import { credentialPlace } from './internal.ts';

interface Resolving {
  db: DataSource;
  secrets: SecretBox;
  organizationId: number;
  credentialUuid: string | null;
  /** The address that they are for. */
  url: string;
}

/** The headers of a credential, or the refusal of an address that it is not for. */
export type CredentialHeaders = { kind: 'headers'; headers: Readonly<Record<string, string>> } | Refused;

const noHeaders: CredentialHeaders = { kind: 'headers', headers: {} };

/**
 * The headers of a credential (contract 9.2, 9.3); none if it is unknown or deleted. Read at each use, so
 * that changes apply at once.
 */
export async function resolveCredentialHeaders({
  db,
  secrets,
  organizationId,
  credentialUuid,
  url,
}: Resolving): Promise<CredentialHeaders> {
  if (credentialUuid === null || !isUuid(credentialUuid)) return noHeaders;
  const row = await findRow(db, credentials, { uuid: credentialUuid, organizationId, deletedAt: IsNull() });
  if (row === null) return noHeaders;
  if (!isAllowedHost(row.allowedHosts, url))
    return {
      kind: 'refused',
      reason: 'credential_not_for_host',
      message: 'The credential of this request is not for this host',
    };
  const data: unknown = JSON.parse(secrets.open(row.dataEncrypted, credentialPlace(organizationId)));
  const headers = headersOf(row.type, (key) => (isObject(data) ? (ownText(data, key) ?? '') : ''));
  return { kind: 'headers', headers };
}

function headersOf(type: CredentialType, value: (key: string) => string): Record<string, string> {
  switch (type) {
    case 'none':
      return {};
    case 'api_key':
      return { [value('header_name')]: value('api_key') };
    case 'bearer_token':
      return { Authorization: `Bearer ${value('token')}` };
    case 'basic_auth':
      return {
        Authorization: `Basic ${Buffer.from(`${value('username')}:${value('password')}`).toString('base64')}`,
      };
    case 'custom_header':
      return { [value('header_name')]: value('header_value') };
  }
}
