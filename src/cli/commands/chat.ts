import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { TextSession, TextTurn } from '../../contract/text-sessions.ts';
import { chooseAgent, nodeNames } from '../remote/agents.ts';
import { nodeAfter, refOf } from '../remote/calls.ts';
import type { CliContext } from '../context.ts';
import { ApiRefusal, exitCodes, InterruptedError, UsageError, type ExitCode } from '../failures.ts';
import { eventLine } from '../output/event-line.ts';
import { failureLines } from '../output/show-failure.ts';
import { oneLine } from '../output/terminal.ts';
import { completedRun, endLines, endValue } from './call-end.ts';

export interface ChatOptions {
  agent: string;
  /** Initial values of the call. */
  values: Readonly<Record<string, string>>;
  /** A file of lines to send instead of standard input. */
  script?: string;
}

interface Chat {
  ctx: CliContext;
  session: TextSession;
  names: ReadonlyMap<string, string>;
  /**
   * Whether a person types. Their words are already on the screen, and a failed turn does not end the call.
   */
  isTyped: boolean;
}

/**
 * Holds a text conversation with an agent. Sends each line and shows the replies with their nodes, and at the
 * end the disposition and the extracted values. `/end`, the end of input and Ctrl-C end the call.
 */
export async function chat(
  ctx: CliContext,
  { agent: wanted, values, script }: ChatOptions,
): Promise<ExitCode> {
  const lines = script === undefined ? null : await scriptLines(script);
  const agent = await ctx.agents.get(chooseAgent(await ctx.agents.list(), wanted).id);
  const session = await ctx.calls.open(agent.id, values);
  const chat: Chat = {
    ctx,
    session,
    names: nodeNames(agent.content.definition),
    isTyped: lines === null && ctx.stdin.isTTY,
  };
  ctx.terminal.note(
    `Call ${refOf(session).callId} with ${oneLine(agent.content.name)}, ${agent.isDraft ? 'draft' : 'published'} version ${agent.version}.${chat.isTyped ? ' /end ends it.' : ''}`,
  );
  showNewTurns(chat, []);
  try {
    await converse(chat, lines ?? typedLines(chat));
  } catch (error) {
    await endQuietly(chat);
    throw error;
  }
  const run = await completedRun(ctx, refOf(session));
  if (run === null) throw new InterruptedError();
  ctx.terminal.value(endValue(run));
  for (const line of endLines(run)) ctx.terminal.say(line);
  return exitCodes.ok;
}

async function scriptLines(file: string): Promise<string[]> {
  try {
    return (await readFile(file, 'utf8')).split(/\r?\n/);
  } catch {
    throw new UsageError(`Cannot read ${file}`);
  }
}

async function* typedLines({ ctx, isTyped }: Chat): AsyncGenerator<string> {
  const reader = createInterface({
    input: ctx.stdin,
    ...(isTyped ? { output: ctx.stdout, prompt: 'you     ' } : {}),
    terminal: isTyped,
    signal: ctx.signal,
  });
  reader.on('SIGINT', ctx.interrupt);
  try {
    reader.prompt();
    for await (const line of reader) {
      yield line;
      if (isTyped) reader.prompt();
    }
  } finally {
    reader.close();
  }
}

async function converse(chat: Chat, lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
  for await (const line of lines) {
    if (line.trim() === '/end') break;
    if (line.trim() === '') continue;
    await say(chat, line);
    if (chat.session.is_completed) return;
  }
  if (chat.ctx.signal.aborted) throw new InterruptedError();
  await chat.ctx.calls.end(refOf(chat.session), chat.session.revision);
}

async function say(chat: Chat, text: string): Promise<void> {
  const { ctx, session, isTyped } = chat;
  try {
    chat.session = await ctx.calls.say(refOf(session), text, session.revision);
  } catch (error) {
    if (!isTyped || !(error instanceof ApiRefusal)) throw error;
    ctx.terminal.note(failureLines(error).join('\n'));
    chat.session = await ctx.calls.session(refOf(session)); // another client may have changed the session
  }
  showNewTurns(chat, session.session_data.turns);
}

function showNewTurns(
  { ctx: { terminal }, session, names, isTyped }: Chat,
  known: readonly TextTurn[],
): void {
  const before = new Set(known.map(({ id }) => id));
  for (const turn of session.session_data.turns.filter(({ id }) => !before.has(id))) {
    const node = nodeAfter(turn);
    const nodeName = node === null ? null : (names.get(node) ?? node);
    terminal.value({
      type: 'turn',
      id: turn.id,
      user: turn.user_message?.text ?? null,
      agent: turn.assistant_message?.text ?? null,
      node_id: node,
      node_name: nodeName,
      events: turn.events,
    });
    for (const event of turn.events.filter(({ type }) => !isTyped || type !== 'rtf-user-transcription')) {
      const line = eventLine(event, terminal);
      if (line !== null) terminal.say(line);
    }
  }
}

/** Ends the call after Ctrl-C or a failure, so that it does not wait for its inactivity timeout. */
async function endQuietly({ ctx, session }: Chat): Promise<void> {
  try {
    await ctx.lastCalls.end(refOf(session), session.revision);
  } catch {
    ctx.terminal.note(
      `Call ${refOf(session).callId} could not be ended. It ends by itself after its inactivity timeout.`,
    );
  }
}
