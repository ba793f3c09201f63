import type { Credential } from '../../contract/credentials.ts';
import { insertRow } from '../../db/rows.ts';
import { credentials, type CredentialType } from '../../db/tables/credentials.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { JsonObject } from '../../domain/graph/definition.ts';
import type { SecretBox } from '../../providers/secrets/port.ts';
import { appendAudit } from '../audit/append.ts';
import type { ServiceContext } from '../context.ts';
import { credentialPlace, readCredentialData, translateTakenName } from './internal.ts';
import { toCredential } from './mapper.ts';

export interface CredentialInput {
  name: string;
  description: string | null;
  type: CredentialType;
  data: JsonObject;
}

/** Stores a credential, its data encrypted (contract 9.3). Throws PreconditionError (400) for missing data, ConflictError for a taken name. */
export async function createCredential({ ctx, secrets, input }: { ctx: ServiceContext; secrets: SecretBox; input: CredentialInput }): Promise<Credential> {
  const data = readCredentialData(input.type, input.data);
  const { organizationId } = ctx;
  try {
    return await inTransaction(ctx.db, async (tx) => {
      const now = ctx.clock.now();
      const { name, description, type } = input;
      const dataEncrypted = secrets.seal(JSON.stringify(data), credentialPlace(organizationId));
      const row = await insertRow(tx, credentials, { uuid: ctx.ids.uuid(), organizationId, name, liveName: name, description, type, dataEncrypted, createdAt: now, updatedAt: now, deletedAt: null });
      await appendAudit(tx, ctx, { action: 'credential.created', subjectKind: 'credential', subjectId: row.id, changes: { type } });
      return toCredential(row);
    });
  } catch (error) {
    throw translateTakenName(error, input.name);
  }
}
