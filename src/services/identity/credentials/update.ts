import type { Credential } from '../../../contract/credentials.ts';
import { updateRows } from '../../../db/rows.ts';
import { credentials, type CredentialRow, type CredentialType } from '../../../db/tables/credentials.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import type { JsonObject } from '../../../domain/graph/definition.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import { appendAudit, translateTakenName, type ServiceContext, write } from '../../kernel/index.ts';
import {
  credentialPlace,
  findLive,
  readAllowedHosts,
  readCredentialData,
  requireName,
  takenCredentialName,
} from './internal.ts';
import { auditedCredential, toCredential } from './mapper.ts';

/** Absent fields stay unchanged; data is replaced as a whole. */
export interface CredentialChange {
  uuid: string;
  name?: string | undefined;
  description?: string | undefined;
  type?: CredentialType | undefined;
  data?: JsonObject | undefined;
  /** Other hosts need the data in full; an empty list means every host. */
  allowedHosts?: readonly string[] | undefined;
}

/**
 * Changes a credential (contract 9.3); waiting deliveries use it from their next attempt. Throws
 * NotFoundError, PreconditionError (400) for missing data, or for a new type or other hosts without the data,
 * ConflictError for a taken name.
 */
export async function updateCredential({
  ctx,
  secrets,
  input,
}: {
  ctx: ServiceContext;
  secrets: SecretBox;
  input: CredentialChange;
}): Promise<Credential> {
  if (input.name !== undefined) requireName(input.name);
  try {
    return await write(ctx, async (tx) => {
      const row = await findLive(tx, ctx.organizationId, input.uuid, { locked: true });
      const change = changeOf(ctx, secrets, row, input);
      await updateRows(tx, credentials, {
        where: { id: row.id, organizationId: ctx.organizationId },
        change,
      });
      const changed = { ...row, ...change };
      const fields = changedFields(input);
      if (fields.length > 0)
        await appendAudit(tx, {
          action: 'credential.updated',
          subjectKind: 'credential',
          subjectId: row.id,
          subjectKey: row.uuid,
          changes: { fields },
          states: { before: auditedCredential(row), after: auditedCredential(changed) },
        });
      return toCredential(changed);
    });
  } catch (error) {
    throw translateTakenName(error, takenCredentialName(input.name ?? ''));
  }
}

function changeOf(
  ctx: ServiceContext,
  secrets: SecretBox,
  row: CredentialRow,
  { name, description, type = row.type, data, allowedHosts }: CredentialChange,
): Partial<CredentialRow> {
  if (type !== row.type && data === undefined)
    throw new PreconditionError(`credential_data is needed to change the type to ${type}`, { status: 400 });
  // guarantee: stored-credential-keeps-its-hosts
  if (allowedHosts !== undefined && data === undefined)
    throw new PreconditionError('credential_data is needed to change allowed_hosts', { status: 400 });
  return {
    ...(allowedHosts === undefined ? {} : { allowedHosts: readAllowedHosts(allowedHosts) }),
    ...(name === undefined ? {} : { name, liveName: name }),
    ...(description === undefined ? {} : { description }),
    ...(data === undefined
      ? {}
      : {
          type,
          dataEncrypted: secrets.seal(
            JSON.stringify(readCredentialData(type, data)),
            credentialPlace(ctx.organizationId),
          ),
        }),
    updatedAt: ctx.clock.now(),
  };
}

/** The wire names of the given fields; of the secret, only that it changed. */
function changedFields({ name, description, type, data, allowedHosts }: CredentialChange): string[] {
  const given = {
    name,
    description,
    credential_type: type,
    credential_data: data,
    allowed_hosts: allowedHosts,
  };
  return Object.entries(given).flatMap(([field, value]) => (value === undefined ? [] : [field]));
}
