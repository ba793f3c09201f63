import { getRow } from '../../../db/rows.ts';
import { directories } from '../../../db/tables/directories.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { badRequest } from '../../calls/index.ts';
import { findCampaign } from './internal.ts';

/**
 * Key of the campaign's contact file, for a link to it (contract 11.5). Throws NotFoundError,
 * PreconditionError (400) if it is not a CSV file.
 */
export async function sourceKeyOf({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { id: number };
}): Promise<string> {
  const { organizationId } = ctx;
  const { directoryId } = await findCampaign(ctx.db.manager, ctx, input.id);
  const { kind, fileKey } = await getRow(ctx.db.manager, directories, { id: directoryId, organizationId });
  if (kind !== 'csv')
    throw badRequest('The file of this campaign is not CSV; its directory has a link to it');
  return fileKey;
}
