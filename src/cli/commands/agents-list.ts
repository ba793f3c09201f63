import type { CliContext } from '../context.ts';
import { exitCodes, type ExitCode } from '../failures.ts';
import { oneLine } from '../output/terminal.ts';
import { table } from '../output/table.ts';

/** Lists agents, newest first. With --json: the API's records. */
export async function listAgents(
  { terminal, agents }: CliContext,
  { archived = false }: { archived?: boolean },
): Promise<ExitCode> {
  const shown = (await agents.list()).filter(({ status }) => archived || status === 'active');
  terminal.value(shown);
  if (shown.length === 0) terminal.note('No agents.');
  for (const line of shown.length === 0
    ? []
    : table(
        ['ID', 'NAME', 'STATE', 'CALLS', 'CREATED'],
        shown.map((each) => [
          String(each.id),
          oneLine(each.name, 50),
          each.status,
          String(each.total_runs),
          each.created_at.slice(0, 16).replace('T', ' '),
        ]),
      ))
    terminal.say(line);
  return exitCodes.ok;
}
