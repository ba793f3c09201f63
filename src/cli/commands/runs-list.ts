import { chooseAgent } from '../remote/agents.ts';
import type { CliContext } from '../context.ts';
import { exitCodes, type ExitCode } from '../failures.ts';
import { oneLine } from '../output/terminal.ts';
import { table } from '../output/table.ts';

export interface ListRunsOptions {
  agent: string;
  page: number;
  limit: number;
  /** Only calls in this state. */
  state?: 'running' | 'completed';
}

/** Lists a page of an agent's calls, newest first. With --json: the API's page. */
export async function listRuns(
  { terminal, agents, calls }: CliContext,
  { agent, page, limit, state }: ListRunsOptions,
): Promise<ExitCode> {
  const { id } = chooseAgent(await agents.list(), agent);
  const wanted =
    state === undefined
      ? []
      : [
          {
            attribute: 'status',
            type: 'status',
            value: { status: state === 'running' ? 'in_progress' : 'completed' },
          },
        ];
  const found = await calls.list(id, {
    page,
    limit,
    ...(wanted.length === 0 ? {} : { filters: JSON.stringify(wanted) }),
  });
  terminal.value(found);
  if (found.runs.length === 0) terminal.note('No calls.');
  const rows = found.runs.map((run) => [
    String(run.id),
    run.created_at.slice(0, 19).replace('T', ' '),
    run.mode,
    run.state,
    oneLine(run.disposition ?? '-', 30),
    run.call_duration_seconds === null ? '-' : `${run.call_duration_seconds} s`,
    oneLine(run.name, 40),
  ]);
  for (const line of rows.length === 0
    ? []
    : table(['ID', 'CREATED (UTC)', 'MODE', 'STATE', 'DISPOSITION', 'LENGTH', 'NAME'], rows))
    terminal.say(line);
  if (found.total_pages > page)
    terminal.note(`Page ${page} of ${found.total_pages}. --page ${page + 1} shows the next one.`);
  return exitCodes.ok;
}
