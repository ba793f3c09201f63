import type { ServiceContext } from '../../kernel/index.ts';
import { callBatches } from '../records/batches.ts';
import type { DailyReportInput } from './daily-report.ts';
import { agentNames } from './list-runs.ts';
import { toDailyRun } from './mapper.ts';
import { selectCalls } from '../records/select.ts';
import { asShownTo } from '../records/without-person.ts';
import { requestedDay } from './requested-day.ts';

/**
 * Streams all calls of one day, oldest first, as a JSON array (contract 15.2), because a day may have any
 * number of them. Throws ValidationError for a day that does not exist, before the first piece.
 */
export function listDailyRuns({
  ctx,
  publicUrl,
  input,
}: {
  ctx: ServiceContext;
  publicUrl: string;
  input: DailyReportInput;
}): AsyncIterable<string> {
  const day = requestedDay(input);
  return pieces({ ctx, publicUrl, selection: { ...day, agentId: input.agentId } });
}

async function* pieces({
  ctx,
  publicUrl,
  selection,
}: {
  ctx: ServiceContext;
  publicUrl: string;
  selection: Parameters<typeof selectCalls>[1];
}): AsyncGenerator<string> {
  let before = '[';
  for await (const rows of callBatches(() => selectCalls(ctx, selection))) {
    const names = await agentNames(
      ctx,
      rows.map(({ agentId }) => agentId),
    );
    const runs = rows.map((call) =>
      toDailyRun(asShownTo(ctx, call), { agentName: names.get(call.agentId) ?? null, publicUrl }),
    );
    yield before + runs.map((run) => JSON.stringify(run)).join(',');
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
