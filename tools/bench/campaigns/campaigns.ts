import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { campaigns, type CampaignRow } from '../../../src/db/tables/campaigns.ts';
import { telephonyConfigurations } from '../../../src/db/tables/telephony-configurations.ts';
import { until } from '../../../test/support/until.ts';
import type { LogEntry } from '../../../test/support/phone-service.ts';
import { sendJson, type TimedRequest } from '../conversations.ts';
import type { PhoneAgent } from '../phone/agent.ts';
import type { MeasuredPhone } from '../phone/service.ts';
import type { MeasuredService } from '../service.ts';

/** Numbers of the connection, and so the maximum number of lines of a campaign. */
export const lines = 100;
/** Dials per second of the organization: more than this machine can make. */
const startsPerSecond = 100;

const Made = z.looseObject({ id: z.int() });
const Uploaded = z.looseObject({ id: z.int(), file_key: z.string() });
const Numbers = z.looseObject({ phone_numbers: z.array(z.looseObject({ address: z.string() })) });
const Checked = z.looseObject({ state: z.enum(['uploaded', 'importing', 'ready', 'failed']) });

export interface Directory {
  id: number;
  fileKey: string;
}

/**
 * Adds numbers up to `lines`, those that an earlier scenario did not add, and raises the pace above what the machine can
 * make.
 */
export async function widenLines({ service }: MeasuredPhone): Promise<void> {
  const { api, db } = service;
  const { id } = await db
    .getRepository(telephonyConfigurations)
    .findOneOrFail({ where: {}, order: { id: 'ASC' } });
  const path = `/organizations/telephony-configs/${id}/phone-numbers`;
  const { phone_numbers: present } = Numbers.parse(await read(service, path));
  const addresses = Array.from(
    { length: lines - 1 },
    (_, index) => `+1202555${String(201 + index).padStart(4, '0')}`,
  );
  for (const address of addresses.filter((each) => present.every((number) => number.address !== each)))
    await sendJson(api, 'POST', path, { address });
  await sendJson(api, 'PUT', '/organizations/dial-policy', { starts_per_second: startsPerSecond });
}

/** The API's answer to a GET. */
export async function read({ api }: Pick<MeasuredService, 'api'>, path: string): Promise<unknown> {
  const answer = await fetch(`${api.url}/api/v1${path}`, {
    headers: { 'X-API-Key': api.key },
    signal: AbortSignal.timeout(90_000),
  });
  if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${await answer.text()}`);
  return await answer.json();
}

/** Uploads a contact file and waits until it is imported. */
export async function importContacts(service: MeasuredService, path: string): Promise<Directory> {
  const { api } = service;
  const form = new FormData();
  form.set('file', new Blob([await readFile(path)]), 'contacts.csv');
  const { id, file_key: fileKey } = Uploaded.parse(
    await (
      await fetch(`${api.url}/api/v1/directories`, {
        method: 'POST',
        headers: { 'X-API-Key': api.key },
        body: form,
      })
    ).json(),
  );
  await sendJson(api, 'POST', `/directories/${id}/check`, {});
  await until(
    'the import of the file',
    async () => {
      const { state } = Checked.parse(await read(service, `/directories/${id}`));
      if (state === 'failed') throw new Error('The import failed');
      return state === 'ready';
    },
    300_000,
  );
  return { id, fileKey };
}

/** Creates a campaign without retries and without a breaker, and does not start it. Answers its id. */
export async function createCampaign(
  { service }: MeasuredPhone,
  agent: PhoneAgent,
  { fileKey }: Directory,
): Promise<number> {
  const body = {
    name: 'Benchmark',
    workflow_id: agent.id,
    source_type: 'csv',
    source_id: fileKey,
    max_concurrency: lines,
    retry_config: { enabled: false },
    circuit_breaker: { enabled: false },
  };
  return Made.parse((await sendJson(service.api, 'POST', '/campaign/create', body)).body).id;
}

/** The same hours every day, as a schedule's slots. */
export const everyDay = (start: string, end: string) =>
  Array.from({ length: 7 }, (_, day) => ({ day_of_week: day, start_time: start, end_time: end }));

/** Hours that are closed now and for some time. */
export function closedNow(): object {
  const hour = (new Date().getUTCHours() + 12) % 24;
  return {
    schedule_config: {
      enabled: true,
      timezone: 'UTC',
      slots: everyDay(`${String(hour).padStart(2, '0')}:00`, `${String(hour).padStart(2, '0')}:30`),
    },
  };
}

/** `start`, `pause`, `resume` or `stop`. */
export async function command(
  { service }: MeasuredPhone,
  id: number,
  verb: string,
  body: object = {},
): Promise<TimedRequest> {
  return await sendJson(service.api, 'POST', `/campaign/${id}/${verb}`, body);
}

export async function change({ service }: MeasuredPhone, id: number, body: object): Promise<TimedRequest> {
  return await sendJson(service.api, 'PATCH', `/campaign/${id}`, body);
}

export async function rowOf({ service: { db } }: MeasuredPhone, id: number): Promise<CampaignRow> {
  return await db.getRepository(campaigns).findOneByOrFail({ id });
}

export async function untilCompleted(phone: MeasuredPhone, id: number, limitMs: number): Promise<void> {
  await until(
    'the end of the campaign',
    async () => {
      const { state, stopMode } = await rowOf(phone, id);
      // A campaign that is stopped while it is paused stays `paused` until its last row is closed.
      if (state === 'failed' || (state === 'paused' && stopMode === null))
        throw new Error(`The campaign is ${state}`);
      return state === 'completed';
    },
    limitMs,
  );
}

/**
 * Reads the entries about legs from the carrier's log from here on. It requests only new entries, so that it
 * may be called often.
 */
export async function legsFromNow({ carrier }: MeasuredPhone): Promise<() => Promise<LogEntry[]>> {
  const legs: LogEntry[] = [];
  let last = (await carrier.log({ type: 'leg' })).at(-1)?.n;
  return async () => {
    legs.push(...(await carrier.log({ type: 'leg', ...(last === undefined ? {} : { after: last }) })));
    last = legs.at(-1)?.n ?? last;
    return legs;
  };
}

/** When each leg began to ring, in milliseconds since 1970, in order. */
export function dialsIn(entries: readonly LogEntry[]): number[] {
  return entries
    .flatMap(({ type, state, direction, at }) =>
      type === 'leg' && state === 'ringing' && direction === 'outgoing' ? [at] : [],
    )
    .toSorted((one, other) => one - other);
}
