import type { CliContext } from '../context.ts';
import { exitCodes, type ExitCode } from '../failures.ts';
import { oneLine } from '../output/terminal.ts';
import { table } from '../output/table.ts';

/** Lists deliveries, newest first; with `failed` only dead letters. With --json: the API's page. */
export async function listWebhooks(
  { terminal, webhooks }: CliContext,
  { failed = false, limit, cursor }: { failed?: boolean; limit: number; cursor?: string },
): Promise<ExitCode> {
  const page = await webhooks.list({
    limit,
    ...(failed ? { state: 'dead_letter' as const } : {}),
    ...(cursor === undefined ? {} : { cursor }),
  });
  terminal.value(page);
  if (page.items.length === 0) terminal.note('No deliveries.');
  const rows = page.items.map((each) => [
    each.id,
    each.created_at.slice(0, 19).replace('T', ' '),
    each.state,
    String(each.attempt_count),
    oneLine(each.last_error ?? String(each.last_status_code ?? '-'), 40),
    oneLine(each.url, 60),
  ]);
  for (const line of rows.length === 0
    ? []
    : table(['DELIVERY', 'CREATED (UTC)', 'STATE', 'ATTEMPTS', 'LAST ANSWER', 'ADDRESS'], rows))
    terminal.say(line);
  if (page.next_cursor !== null) terminal.note(`--cursor ${page.next_cursor} shows the next page.`);
  return exitCodes.ok;
}
