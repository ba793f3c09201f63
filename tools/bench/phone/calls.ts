import { In, Not } from 'typeorm';
import type { PersonaInput } from '../../../emulators/carrier/persona.ts';
import { calls } from '../../../src/db/tables/calls.ts';
import { turns } from '../../../src/db/tables/turns.ts';
import type { TurnTimings } from '../../../src/domain/call/voice.ts';
import { until } from '../../../test/support/until.ts';
import type { LogEntry } from '../../../test/support/phone-service.ts';
import { sendJson, type TimedRequest } from '../conversations.ts';
import { concurrently } from '../concurrency.ts';
import type { PhoneAgent } from './agent.ts';
import { answeredLegs } from './carrier-log.ts';
import { numberOf } from './people.ts';
import type { MeasuredPhone } from './service.ts';

/** Gives these numbers to this persona. */
export async function settle(
  { carrier }: MeasuredPhone,
  persona: PersonaInput,
  count: number,
): Promise<void> {
  await concurrently({ count, width: 8 }, (index) => carrier.setPersonas(`+${numberOf(index)}`, [persona]));
}

/** Triggers a call to the person with this index, as a customer does. */
export async function callPerson(
  { service }: MeasuredPhone,
  agent: PhoneAgent,
  index: number,
): Promise<TimedRequest> {
  return await sendJson(service.api, 'POST', `/public/agent/workflow/${agent.uuid}`, {
    phone_number: numberOf(index),
    initial_context: { first_name: 'Maria' },
  });
}

/** Reads the carrier's log from here on. */
export async function logFromNow({ carrier }: MeasuredPhone): Promise<() => Promise<LogEntry[]>> {
  const [after] = (await carrier.log()).slice(-1).map(({ n }) => n);
  return async () => await carrier.log(after === undefined ? {} : { after });
}

/** Waits until every person has answered, except those whose calls ended earlier. */
export async function untilAllAnswered(
  phone: MeasuredPhone,
  agent: PhoneAgent,
  { log, count }: { log: () => Promise<LogEntry[]>; count: number },
): Promise<void> {
  await until(
    'the answer of every person',
    async () => {
      const ended = Object.values(await otherEnds(phone, agent)).reduce((sum, each) => sum + each, 0);
      return ended + answeredLegs(await log()).length >= count;
    },
    90_000,
  );
}

export async function untilAllEnded(
  { service: { db } }: MeasuredPhone,
  agent: PhoneAgent,
  limitMs: number,
): Promise<void> {
  await until(
    'the end of every call',
    async () =>
      (await db.getRepository(calls).countBy({ agentId: agent.id, state: Not(In(['ended', 'refused'])) })) ===
      0,
    limitMs,
  );
}

/** Number of calls that did not end with the person's hang-up, by disposition. */
export async function otherEnds(
  { service: { db } }: MeasuredPhone,
  agent: PhoneAgent,
): Promise<Record<string, number>> {
  const ended = await db
    .getRepository(calls)
    .find({ select: { disposition: true }, where: { agentId: agent.id, disposition: Not('user_hangup') } });
  const counts: Record<string, number> = {};
  for (const { disposition } of ended)
    counts[disposition ?? 'none'] = (counts[disposition ?? 'none'] ?? 0) + 1;
  return counts;
}

/**
 * Timings of every turn that began between two timestamps, from the rows of the turns; those of the first
 * step.
 */
export async function timingsBetween(
  { service: { db } }: MeasuredPhone,
  agent: PhoneAgent,
  fromMs: number,
  toMs: number,
): Promise<TurnTimings[]> {
  const ids = (
    await db.getRepository(calls).find({ select: { id: true }, where: { agentId: agent.id } })
  ).map(({ id }) => id);
  const rows = await db.getRepository(turns).find({ select: { usage: true }, where: { callId: In(ids) } });
  return rows.flatMap(({ usage }) => {
    const first = firstTimings(usage);
    const atMs = first === null ? Number.NaN : Date.parse(first.zeroAt);
    return first !== null && atMs >= fromMs && atMs <= toMs ? [first] : [];
  });
}

/** Only this service writes the rows. */
function firstTimings(usage: Record<string, unknown>): TurnTimings | null {
  const steps = usage['timings'];
  const first: unknown = Array.isArray(steps) ? steps[0] : null;
  return isTimings(first) ? first : null;
}

function isTimings(value: unknown): value is TurnTimings {
  return typeof value === 'object' && value !== null && 'zeroAt' in value;
}
