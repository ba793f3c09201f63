import type { WorkflowRun } from '../../contract/calls.ts';
import { chooseAgent } from '../remote/agents.ts';
import type { CliContext } from '../context.ts';
import { exitCodes, type ExitCode } from '../failures.ts';
import { objectsIn, own } from '../json.ts';
import { eventLine } from '../output/event-line.ts';
import { endLines, endValue, pause } from './call-end.ts';

/** Delays between two polls: short after news, longer if nothing happens. */
const minDelayMs = 1000;
const maxDelayMs = 5000;

/** Number of newest calls of an agent that are polled. */
const maxCalls = 50;

export interface TailOptions {
  agent: string;
  /** Absent for all live and later calls, until Ctrl-C. */
  callId?: number;
}

/**
 * Shows the events of calls, turn by turn. With a call, it ends with that call. With --json: one event per line.
 */
export async function tailRuns(ctx: CliContext, { agent, callId }: TailOptions): Promise<ExitCode> {
  const { id: agentId } = chooseAgent(await ctx.agents.list(), agent);
  if (callId !== undefined) {
    await follow(ctx, agentId, async (tail) => await tail.look(await ctx.calls.get({ agentId, callId })));
    return exitCodes.ok;
  }
  const ended = new Set(
    (await ctx.calls.list(agentId, { page: 1, limit: maxCalls })).runs
      .filter((run) => run.is_completed)
      .map(({ id }) => id),
  );
  ctx.terminal.note('Waiting for calls. Ctrl-C ends.');
  await follow(ctx, agentId, async (tail) => {
    const { runs } = await ctx.calls.list(agentId, { page: 1, limit: maxCalls });
    for (const { id } of runs.toReversed().filter((run) => !ended.has(run.id))) {
      if (await tail.look(await ctx.calls.get({ agentId, callId: id }))) ended.add(id);
    }
    return false;
  });
  return exitCodes.ok;
}

interface Tail {
  /** Shows new events of a call. Returns true after the last event of an ended call. */
  look: (run: WorkflowRun) => Promise<boolean>;
}

/** Polls until `look` returns true. */
async function follow(
  ctx: CliContext,
  agentId: number,
  look: (tail: Tail) => Promise<boolean>,
): Promise<void> {
  const shown = new Map<number, Set<string>>();
  let delayMs = minDelayMs;
  let hasNews = false;
  const tail: Tail = {
    look: async (run) => {
      const known = shown.get(run.id) ?? new Set<string>();
      shown.set(run.id, known);
      const fresh = (await eventsOf(ctx, agentId, run)).filter((event) => !known.has(JSON.stringify(event)));
      for (const event of fresh) {
        known.add(JSON.stringify(event));
        showEvent(ctx, run, event);
      }
      hasNews ||= fresh.length > 0;
      if (run.is_completed) {
        ctx.terminal.value(endValue(run));
        for (const line of endLines(run)) ctx.terminal.say(line);
        shown.delete(run.id);
      }
      return run.is_completed;
    },
  };
  while (!(await look(tail))) {
    delayMs = hasNews ? minDelayMs : Math.min(delayMs * 1.5, maxDelayMs);
    hasNews = false;
    await pause(delayMs, ctx.signal);
  }
}

/** Returns all events so far: those of the turns, and after the end of the call those of its record. */
async function eventsOf({ calls }: CliContext, agentId: number, run: WorkflowRun): Promise<unknown[]> {
  if (run.is_completed) return objectsIn(own(run.logs, 'realtime_feedback_events'));
  return (await calls.live({ agentId, callId: run.id })).events;
}

function showEvent({ terminal }: CliContext, run: WorkflowRun, event: unknown): void {
  terminal.value({ type: 'event', run_id: run.id, event });
  const line = eventLine(event, terminal);
  if (line !== null) terminal.say(`${terminal.dim(String(run.id))}  ${line}`);
}
