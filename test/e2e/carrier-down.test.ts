import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { node } from '../support/definitions.ts';
import { startPhoneService, type PhoneService } from '../support/phone-service.ts';
import { eventually } from '../support/process.ts';

/**
 * A campaign during a carrier outage. Seconds stand for an hour, because the checks become rarer. The
 * carrier's own log is checked.
 */

const rows = 24;
const lines = 6;
let service: PhoneService;

beforeAll(async () => {
  service = await startPhoneService();
  const worker = service.startWorker();
  await service.startMedia();
  await eventually(
    'the worker polls',
    () => (worker.output().includes('The workers are polling') ? true : undefined),
    {
      detail: () => service.logs(),
    },
  );
});

afterAll(async () => {
  await service?.stop();
});

const Made = z.looseObject({ id: z.int() });
const Campaign = z.looseObject({
  state: z.string(),
  wait_reason: z.string().nullable(),
  logs: z.array(z.looseObject({ event: z.string() })),
});
const Rows = z.looseObject({
  rows: z.array(
    z.looseObject({
      state: z.string(),
      reason: z.string().nullable(),
      spent_attempts: z.int(),
      outcome: z.string().nullable(),
    }),
  ),
});
/** Invented numbers that ring no real phone. */
const phoneOf = (row: number): string => `+1202555${String(2000 + row)}`;

async function ask(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<unknown> {
  const { status, body: answer } = await service.request(method, path, body);
  if (status >= 300) throw new Error(`${path} is answered with ${status}: ${JSON.stringify(answer)}`);
  return answer;
}

async function upload(text: string): Promise<string> {
  const { upload_url: url, file_key: key } = z.object({ upload_url: z.string(), file_key: z.string() }).parse(
    await ask('POST', '/s3/presigned-upload-url', {
      file_name: 'contacts.csv',
      file_size: Buffer.byteLength(text),
      content_type: 'text/csv',
    }),
  );
  expect((await fetch(url, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body: text })).ok).toBe(
    true,
  );
  return key;
}

test('a carrier that answers 5xx for a while spends no attempt: rows wait and show why, and later all are reached, each once', async () => {
  const { configurationId } = await service.connect();
  for (let line = 1; line < lines; line += 1)
    await ask('POST', `/organizations/telephony-configs/${configurationId}/phone-numbers`, {
      address: `+1202555031${line}`,
    });
  await ask('PUT', '/organizations/dial-policy', { starts_per_second: 20 });
  const definition = {
    nodes: [
      node('start', 'startCall', { name: 'Start', prompt: 'You are at the start.', greeting: 'Hello.' }),
      node('bye', 'endCall', { name: 'Bye', prompt: 'Say goodbye.' }),
    ],
    edges: [{ id: 'e1', source: 'start', target: 'bye', data: { label: 'done', condition: 'it is done' } }],
  };
  const agent = Made.parse(
    await ask('POST', '/workflow/create/definition', { name: 'Caller', workflow_definition: definition }),
  );
  for (let row = 1; row <= rows; row += 1)
    await service.carrier.setPersonas(phoneOf(row), [
      {
        name: `row ${row}`,
        steps: [
          { do: 'ring', ms: 200 },
          { do: 'end', cause: 'user_busy' },
        ],
      },
    ]);
  const sourceId = await upload(
    ['phone_number', ...Array.from({ length: rows }, (_, index) => phoneOf(index + 1))].join('\n'),
  );
  const { id } = Made.parse(
    await ask('POST', '/campaign/create', {
      name: 'Outage',
      workflow_id: agent.id,
      source_type: 'csv',
      source_id: sourceId,
      retry_config: { enabled: false },
    }),
  );
  const campaign = async () => Campaign.parse(await ask('GET', `/campaign/${id}`));
  const rowsOf = async () => Rows.parse(await ask('GET', `/campaign/${id}/rows?limit=100`)).rows;
  const ringing = async () =>
    (await service.carrier.log({ type: 'leg' }))
      .filter(({ state }) => state === 'ringing')
      .map(({ to }) => String(to));
  const dials = async () =>
    (await service.carrier.log({ type: 'command' })).filter(({ command }) => command === 'dial');

  await ask('POST', `/campaign/${id}/start`, {});
  await eventually('some are rung', async () => ((await ringing()).length >= 6 ? true : undefined), {
    detail: () => service.logs(),
  });
  await service.carrier.control('/emulator/faults', { rest: { error: 1 } });
  await eventually(
    'the campaign backs off',
    async () => ((await campaign()).wait_reason === 'carrier_down' ? true : undefined),
    { detail: () => service.logs() },
  );
  const reasons = new Set((await rowsOf()).map(({ reason }) => reason));
  expect(reasons.has('carrier_down')).toBe(true);
  const whileDown = (await dials()).length;
  await eventually(
    'a line says that it is in doubt',
    async () =>
      (await rowsOf()).some(({ state, reason }) => state === 'processing' && reason === 'line_in_doubt')
        ? true
        : undefined,
    { detail: () => service.logs() },
  );
  // The carrier answers other requests, so trial dials follow, one at a time and at growing intervals.
  expect((await dials()).length - whileDown).toBeLessThanOrEqual(4);
  expect(
    (await rowsOf()).filter(
      ({ state, outcome }) =>
        state === 'failed' || (outcome !== null && outcome !== 'busy' && outcome !== 'not_dialed'),
    ),
  ).toEqual([]);

  await service.carrier.control('/emulator/faults', {});
  await eventually(
    'the completion',
    async () => ((await campaign()).state === 'completed' ? true : undefined),
    { detail: () => service.logs() },
  );
  expect(
    (await rowsOf()).map(({ state, spent_attempts: spent, outcome }) => `${state} ${spent} ${outcome}`),
  ).toEqual(Array.from({ length: rows }, () => 'processed 1 busy'));
  expect((await ringing()).toSorted()).toEqual(
    Array.from({ length: rows }, (_, index) => phoneOf(index + 1)).toSorted(),
  );
  const events = (await campaign()).logs.map(({ event }) => event);
  // Trial dials may reach the last rows before the outage is over. test/services/campaigns/pacing/troubles.test.ts
  // expects the entry that says that dialing goes on.
  expect(events).toEqual(expect.arrayContaining(['carrier_down', 'campaign_completed']));
  expect(events).not.toContain('circuit_breaker_tripped');
});
