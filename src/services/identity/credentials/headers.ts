import { IsNull, type DataSource } from 'typeorm';
import { findRow } from '../../../db/rows.ts';
import { credentials, type CredentialType } from '../../../db/tables/credentials.ts';
import { isObject, ownText } from '../../../domain/graph/definition.ts';
import { isUuid } from '../../../domain/uuid.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import { credentialPlace } from './internal.ts';

interface Resolving {
  db: DataSource;
  secrets: SecretBox;
  organizationId: number;
  credentialUuid: string | null;
}

/**
 * The headers of a credential (contract 9.2, 9.3); none if it is unknown or deleted. Read at each use, so
 * that changes apply at once.
 */
export async function resolveCredentialHeaders({
  db,
  secrets,
  organizationId,
  credentialUuid,
}: Resolving): Promise<Record<string, string>> {
  if (credentialUuid === null || !isUuid(credentialUuid)) return {};
  const row = await findRow(db, credentials, { uuid: credentialUuid, organizationId, deletedAt: IsNull() });
  if (row === null) return {};
  const data: unknown = JSON.parse(secrets.open(row.dataEncrypted, credentialPlace(organizationId)));
  return headersOf(row.type, (key) => (isObject(data) ? (ownText(data, key) ?? '') : ''));
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
