import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Arrangement, Arrangements } from './arranged.ts';
import type { CommandMemory } from './command-memory.ts';
import type { DialBook } from './dial.ts';
import { readJson, sendJson } from './http.ts';
import { Problem } from './problems.ts';
import { happens, randomOf } from './random.ts';
import { commandOf, done, type RestCommand } from './rest.ts';
import type { World } from './world.ts';

export interface ApiParts {
  world: World;
  dials: DialBook;
  memory: CommandMemory;
  arrangements: Arrangements;
}

const DialAnswer = z.object({ data: z.object({ call_leg_id: z.string() }) });

type How = Arrangement['how'];

/**
 * Answers one request to the carrier's API: checks the key, applies arranged faults, looks for an earlier
 * command with the same id, and then runs the command.
 */
export async function answerApi(parts: ApiParts, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const url = new URL(req.url ?? '/', 'http://emulator');
  const accountKey = requireKey(req);
  const body = await readJson(req);
  const { answerAfterMs } = parts.world.settings;
  if (answerAfterMs > 0) await sleep(answerAfterMs);
  const command = commandOf(parts.world, parts.dials, {
    method: req.method ?? 'GET',
    path: url.pathname.slice('/v2'.length),
    query: url.searchParams,
    body,
    accountKey,
  });
  const commandId = commandIdOf(body);
  const note = (fields: Record<string, unknown>) =>
    parts.world.log.add('command', {
      legId: command.legId,
      command: command.name,
      path: url.pathname,
      body: withoutSound(body),
      ...fields,
    });
  const how = parts.arrangements.take(command.name, command.number) ?? drawn(parts, command, commandId);
  let isRepeated = false;
  try {
    if (how !== null && how.kind !== 'after_effect') return refuse(how, res, note);
    const known = commandId === undefined ? undefined : parts.memory.find(command.subject, commandId);
    isRepeated = known !== undefined;
    const answer = known === undefined ? command.run() : repeated(parts.world, command, known.body);
    if (known === undefined && commandId !== undefined) parts.memory.keep(command.subject, commandId, answer);
    note({
      status: how === null ? 200 : how.answer,
      isRepeated,
      ...(command.name === 'dial' ? { legId: dialedLegId(answer) } : {}),
    });
    if (how === null) sendJson(res, 200, answer);
    else fail(how.answer, res);
  } catch (error) {
    note({
      status: error instanceof Problem ? error.status : 500,
      code: error instanceof Problem ? error.code : String(error),
      isRepeated,
    });
    throw error;
  }
}

/** The answer to a command whose id is known, from the answer to the first one. */
function repeated({ settings }: World, { name, number }: RestCommand, first: unknown): unknown {
  if (name !== 'dial') return first;
  const answers = [settings.assumptions.repeatedDial].flat();
  const random = randomOf(settings.seed, 'repeated dial', number ?? '');
  const answer = answers[Math.floor(random() * answers.length)] ?? 'same';
  switch (answer) {
    case 'same':
      return first;
    case 'ignored':
      return done;
    case 'refused':
      throw new Problem('10015', { detail: 'The command_id has been used' });
    case 'channel_limit':
      throw new Problem('90043');
  }
}

function refuse(
  how: Exclude<How, { kind: 'after_effect' }>,
  res: ServerResponse,
  note: (fields: Record<string, unknown>) => void,
): void {
  if (how.kind === 'problem') {
    const { code, accountCode, detail, retryAfterSeconds } = how;
    throw new Problem(code, {
      ...(accountCode === undefined ? {} : { accountCode }),
      ...(detail === undefined ? {} : { detail }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
  if (how.kind === 'status') {
    note({ status: how.status });
    res
      .writeHead(how.status, { 'content-type': how.body.startsWith('{') ? 'application/json' : 'text/plain' })
      .end(how.body);
    return;
  }
  note({ status: how.answer });
  fail(how.answer, res);
}

/**
 * The command may have been done, but the client does not learn it. `silence` keeps the connection open
 * without an answer.
 */
function fail(answer: 'error' | 'silence' | 'reset' | 'half' | 'nonsense', res: ServerResponse): void {
  if (answer === 'error') sendJson(res, 500, new Problem('10007').body());
  else if (answer === 'reset') res.destroy();
  else if (answer === 'nonsense') sendJson(res, 200, { data: { surprise: true } });
  else if (answer === 'half')
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"data":{');
}

/** Faults drawn from the seed: the same command of the same call always gets the same. */
function drawn(
  { world: { settings, legs } }: ApiParts,
  command: RestCommand,
  commandId: string | undefined,
): How | null {
  const faults =
    (command.legId === undefined ? undefined : legs.byLegId(command.legId)?.faults.rest) ??
    settings.faults.rest ??
    {};
  if (command.name === 'account' || command.name === 'active_calls' || command.name === 'status') return null;
  const random = randomOf(settings.seed, command.name, command.number ?? '', commandId ?? '');
  if (happens(random, faults.errorAfterEffect ?? 0)) return { kind: 'after_effect', answer: 'error' };
  if (happens(random, faults.silenceAfterEffect ?? 0)) return { kind: 'after_effect', answer: 'silence' };
  return happens(random, faults.error ?? 0) ? { kind: 'no_effect', answer: 'error' } : null;
}

/** The API key, which is also the account. */
function requireKey({ headers: { authorization = '' } }: IncomingMessage): string {
  const key = /^Bearer (\S+)$/i.exec(authorization)?.[1];
  if (key === undefined) throw new Problem('10009');
  if (!key.startsWith('simulated'))
    throw new Problem('10009', {
      detail: 'The simulated carrier takes only keys that begin with "simulated"',
    });
  return key;
}

function commandIdOf(body: unknown): string | undefined {
  const value: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'command_id') : undefined;
  return typeof value === 'string' ? value : undefined;
}

function dialedLegId(answer: unknown): string | undefined {
  return DialAnswer.safeParse(answer).data?.data.call_leg_id;
}

/** Audio would fill the log. */
function withoutSound(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('playback_content' in body)) return body;
  return { ...body, playback_content: `${String(body.playback_content).length} characters` };
}
