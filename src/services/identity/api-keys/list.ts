import { IsNull } from 'typeorm';
import type { ApiKey } from '../../../contract/api-keys.ts';
import { findRows } from '../../../db/rows.ts';
import { apiKeys } from '../../../db/tables/api-keys.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { toApiKey } from './mapper.ts';

/** The organization's keys, newest first (contract 13.1). */
export async function listKeys({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { includeArchived: boolean };
}): Promise<ApiKey[]> {
  const { organizationId } = ctx;
  const rows = await findRows(
    ctx.db,
    apiKeys,
    { organizationId, ...(input.includeArchived ? {} : { archivedAt: IsNull() }) },
    { order: { id: 'DESC' } },
  );
  return rows.map((row) => toApiKey(row, ctx.clock.now()));
}
