import { reportOf } from '../records/report.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { selectCalls, type CallSelection } from '../records/select.ts';

/** Streams the organization's calls as CSV, in the columns of an agent's report (contract 11.8, 15.2). */
export async function reportUsageRuns({
  ctx,
  publicUrl,
  input,
}: {
  ctx: ServiceContext;
  publicUrl: string;
  input: CallSelection;
}): Promise<AsyncIterable<string>> {
  return await reportOf({ ctx, publicUrl, select: () => selectCalls(ctx, input) });
}
