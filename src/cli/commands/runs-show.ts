import { chooseAgent } from '../remote/agents.ts';
import { extractedOf } from '../remote/calls.ts';
import type { CliContext } from '../context.ts';
import { exitCodes, type ExitCode } from '../failures.ts';
import { objectsIn, own } from '../json.ts';
import { eventLine, valueLines } from '../output/event-line.ts';
import { oneLine } from '../output/terminal.ts';

/** Shows a call with its extracted values and its transcript. With --json: the API's record. */
export async function showRun(
  { terminal, agents, calls }: CliContext,
  { agent, callId }: { agent: string; callId: number },
): Promise<ExitCode> {
  const { id: agentId } = chooseAgent(await agents.list(), agent);
  const run = await calls.get({ agentId, callId });
  terminal.value(run);
  const facts = {
    state: run.state,
    disposition: run.disposition ?? '-',
    created: run.created_at,
    length: run.call_duration_seconds === null ? '-' : `${run.call_duration_seconds} s`,
    mode: run.mode,
    temporal: run.temporal_workflow_id,
    ...(run.transcript_public_url === null ? {} : { transcript: run.transcript_public_url }),
  };
  terminal.say(terminal.bold(`Call ${run.id}  ${oneLine(run.name)}`));
  for (const line of valueLines(facts)) terminal.say(line);
  const extracted = valueLines(extractedOf(run));
  for (const line of extracted.length === 0 ? [] : ['', 'Extracted:', ...extracted]) terminal.say(line);
  const said = objectsIn(own(run.logs, 'realtime_feedback_events')).flatMap(
    (event) => eventLine(event, terminal) ?? [],
  );
  for (const line of said.length === 0 ? [] : ['', ...said]) terminal.say(line);
  return exitCodes.ok;
}
