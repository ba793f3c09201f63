import { reportOf, selectCalls } from '../../calls/index.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { findCampaign } from './internal.ts';

/**
 * The calls of a campaign as CSV, streamed, oldest first (contract 11.8). Throws NotFoundError before the
 * first chunk.
 */
export async function reportCampaign({
  ctx,
  publicUrl,
  input: { id, from, until },
}: {
  ctx: ServiceContext;
  publicUrl: string;
  input: { id: number; from?: Date | undefined; until?: Date | undefined };
}): Promise<AsyncIterable<string>> {
  const { id: campaignId } = await findCampaign(ctx.db.manager, ctx, id);
  return await reportOf({ ctx, publicUrl, select: () => selectCalls(ctx, { campaignId, from, until }) });
}
