import { chooseAgent } from '../remote/agents.ts';
import type { CliContext } from '../context.ts';
import { exitCodes, type ExitCode } from '../failures.ts';
import { oneLine } from '../output/terminal.ts';

export interface PlaceCallOptions {
  agent: string;
  phoneNumber: string;
  /** Initial values of the call. */
  values: Readonly<Record<string, string>>;
  /** Uses the draft instead of the published version. */
  draft?: boolean;
}

/** Starts a call by phone, and says how to follow it. */
export async function placeCall(
  ctx: CliContext,
  { agent: wanted, phoneNumber, values, draft = false }: PlaceCallOptions,
): Promise<ExitCode> {
  const agent = await ctx.agents.get(chooseAgent(await ctx.agents.list(), wanted).id);
  const { callId, version, answer } = await ctx.calls.place(agent.uuid, {
    phoneNumber,
    values,
    isTest: draft,
  });
  ctx.terminal.value(answer);
  ctx.terminal.say(
    `Call ${callId} with ${oneLine(agent.content.name)}, ${version}, has begun. \`parlance runs tail ${agent.id} ${callId}\` follows it.`,
  );
  return exitCodes.ok;
}
