import type { Credential } from '../../../contract/credentials.ts';
import { getRow, insertRow } from '../../../db/rows.ts';
import { credentials, type CredentialRow, type CredentialType } from '../../../db/tables/credentials.ts';
import type { JsonObject } from '../../../domain/graph/definition.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import {
  appendAudit,
  translateTakenName,
  type ServiceContext,
  once,
  type Write,
  write,
} from '../../kernel/index.ts';
import {
  credentialPlace,
  readAllowedHosts,
  readCredentialData,
  requireName,
  takenCredentialName,
} from './internal.ts';
import { auditedCredential, toCredential } from './mapper.ts';

export interface CredentialInput {
  name: string;
  description: string | null;
  type: CredentialType;
  data: JsonObject;
  /** Null = every host. */
  allowedHosts?: readonly string[] | null;
}

/**
 * Stores a credential with encrypted data (contract 9.3). Throws ValidationError for a name over 255
 * characters or an entry that is not a host, PreconditionError (400) for missing data, ConflictError for a taken
 * name.
 */
export async function createCredential({
  ctx,
  secrets,
  input,
}: {
  ctx: ServiceContext;
  secrets: SecretBox;
  input: CredentialInput;
}): Promise<Credential> {
  requireName(input.name);
  const data = readCredentialData(input.type, input.data);
  const allowedHosts = readAllowedHosts(input.allowedHosts ?? null);
  try {
    return await write(ctx, async (tx) => {
      const make = async () => {
        const row = await insertCredential(tx, ctx, {
          input: { ...input, allowedHosts },
          // guarantee: credentials-sealed-in-database
          dataEncrypted: secrets.seal(JSON.stringify(data), credentialPlace(ctx.organizationId)),
        });
        return { id: row.id, answer: toCredential(row) };
      };
      const again = async (id: number) =>
        toCredential(await getRow(tx, credentials, { id, organizationId: ctx.organizationId }));
      return await once(tx, { kind: 'credential', make, again });
    });
  } catch (error) {
    throw translateTakenName(error, takenCredentialName(input.name));
  }
}

async function insertCredential(
  tx: Write,
  ctx: ServiceContext,
  { input, dataEncrypted }: { input: CredentialInput; dataEncrypted: string },
): Promise<CredentialRow> {
  const now = ctx.clock.now();
  const { name, description, type, allowedHosts = null } = input;
  const { organizationId } = ctx;
  const row = await insertRow(tx, credentials, {
    uuid: ctx.ids.uuid(),
    organizationId,
    name,
    liveName: name,
    description,
    type,
    dataEncrypted,
    allowedHosts,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  });
  await appendAudit(tx, {
    action: 'credential.created',
    subjectKind: 'credential',
    subjectId: row.id,
    subjectKey: row.uuid,
    states: { before: null, after: auditedCredential(row) },
  });
  return row;
}
