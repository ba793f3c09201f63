import { IsNull } from 'typeorm';
import type { Credential } from '../../../contract/credentials.ts';
import { findRows } from '../../../db/rows.ts';
import { credentials } from '../../../db/tables/credentials.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toCredential } from './mapper.ts';

/** The organization's credentials, newest first, without their data (contract 9.3). */
export async function listCredentials({ ctx }: { ctx: ServiceContext }): Promise<Credential[]> {
  const rows = await findRows(
    ctx.db,
    credentials,
    { organizationId: ctx.organizationId, deletedAt: IsNull() },
    { order: { createdAt: 'DESC', id: 'DESC' } },
  );
  return rows.map(toCredential);
}
