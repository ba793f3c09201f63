import type { Credential } from '../../../contract/credentials.ts';
import type { CredentialRow } from '../../../db/tables/credentials.ts';
import { wireTimestamp } from '../../kernel/index.ts';

/** A credential as the audit log compares it. */
export function auditedCredential({ name, description, type, allowedHosts }: CredentialRow): object {
  return { name, description, credential_type: type, allowed_hosts: allowedHosts };
}

/** The answer of contract 9.3, without the data. */
export function toCredential({
  uuid,
  name,
  description,
  type,
  allowedHosts,
  createdAt,
  updatedAt,
}: CredentialRow): Credential {
  return {
    uuid,
    name,
    description,
    credential_type: type,
    allowed_hosts: allowedHosts === null ? null : [...allowedHosts],
    created_at: wireTimestamp(createdAt),
    updated_at: wireTimestamp(updatedAt),
  };
}
