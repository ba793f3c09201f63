import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { node } from '../support/definitions.ts';
import { startPhoneService, type PhoneService } from '../support/phone-service.ts';
import { eventually, type RunningProcess } from '../support/process.ts';

/**
 * A whole campaign over the API, as a published client runs one. Every role and every simulator is a separate
 * process, and the carrier's log is checked.
 */

const rows = 60;
const lines = 8;
let service: PhoneService;
let workers: RunningProcess[];

beforeAll(async () => {
  service = await startPhoneService({ env: { PARLANCE_LOG_LEVEL: 'info' } });
  workers = [service.startWorker(), service.startWorker()];
  await service.startMedia();
  await eventually(
    'workers poll',
    () => (workers.every((each) => each.output().includes('The workers are polling')) ? true : undefined),
    { detail: () => service.logs() },
  );
});

afterAll(async () => {
  await service?.stop();
});

const Made = z.looseObject({ id: z.int() });
const Progress = z.looseObject({ state: z.string() });
const Campaign = z.looseObject({
  total_rows: z.int().nullable(),
  processed_rows: z.int(),
  failed_rows: z.int(),
});
const Runs = z.looseObject({
  total_count: z.int(),
  runs: z.array(z.looseObject({ id: z.int(), disposition: z.string().nullable().optional() })),
});
/** Invented numbers that ring no real phone. */
const phoneOf = (row: number): string => `+1202555${String(1000 + row)}`;

async function post(path: string, body: unknown): Promise<unknown> {
  const { status, body: answer } = await service.request('POST', path, body);
  if (status >= 300) throw new Error(`${path} is answered with ${status}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Uploads a file as dograh-ctl does, and answers its key. */
async function upload(text: string): Promise<string> {
  const { upload_url: url, file_key: key } = z.object({ upload_url: z.string(), file_key: z.string() }).parse(
    await post('/s3/presigned-upload-url', {
      file_name: 'contacts.csv',
      file_size: Buffer.byteLength(text),
      content_type: 'text/csv',
    }),
  );
  const put = await fetch(url, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body: text });
  expect(put.ok).toBe(true);
  return key;
}

test('uploaded contacts are called once each, although a worker is killed in between, and the outcomes add up to the rows', async () => {
  const { configurationId } = await service.connect();
  for (let line = 1; line < lines; line += 1)
    await post(`/organizations/telephony-configs/${configurationId}/phone-numbers`, {
      address: `+1202555030${line}`,
    });
  await service.request('PUT', '/organizations/dial-policy', { starts_per_second: 20 });
  const definition = {
    nodes: [
      node('start', 'startCall', {
        name: 'Start',
        prompt: 'You are at the start.',
        greeting: 'Hello {{name}}.',
      }),
      node('bye', 'endCall', { name: 'Bye', prompt: 'Say goodbye.' }),
    ],
    edges: [{ id: 'e1', source: 'start', target: 'bye', data: { label: 'done', condition: 'it is done' } }],
  };
  const agent = Made.parse(
    await post('/workflow/create/definition', { name: 'Caller', workflow_definition: definition }),
  );
  const causes = ['user_busy', 'no_answer', 'call_rejected'] as const;
  for (let row = 1; row <= rows; row += 1)
    await service.carrier.setPersonas(phoneOf(row), [
      {
        name: `row ${row}`,
        steps: [
          { do: 'ring', ms: 200 },
          { do: 'end', cause: causes[row % 3] ?? 'user_busy' },
        ],
      },
    ]);

  const sourceId = await upload(
    [
      'phone_number,name',
      ...Array.from({ length: rows }, (_, index) => `${phoneOf(index + 1)},Person ${index + 1}`),
    ].join('\n'),
  );
  const campaign = Made.parse(
    await post('/campaign/create', {
      name: 'Spring',
      workflow_id: agent.id,
      source_type: 'csv',
      source_id: sourceId,
      retry_config: { enabled: false },
      circuit_breaker: { enabled: false },
    }),
  );
  await post(`/campaign/${campaign.id}/start`, {});
  const progress = async () =>
    Progress.parse((await service.request('GET', `/campaign/${campaign.id}/progress`)).body);
  const dialed = async () =>
    (await service.carrier.log({ type: 'leg' })).filter(({ state }) => state === 'ringing');

  await eventually('the first calls', async () => ((await dialed()).length > 10 ? true : undefined), {
    detail: () => service.logs(),
  });
  workers[0]?.child.kill('SIGKILL');
  service.startWorker();
  await eventually(
    'the completion',
    async () => ((await progress()).state === 'completed' ? true : undefined),
    { detail: () => service.logs() },
  );

  // A call whose worker died during its dial may have failed; the plan of a published client does not retry
  // faults.
  const {
    total_rows: total,
    processed_rows: processed,
    failed_rows: failed,
  } = Campaign.parse((await service.request('GET', `/campaign/${campaign.id}`)).body);
  expect({ total, ended: processed + failed }).toEqual({ total: rows, ended: rows });
  expect(failed).toBeLessThanOrEqual(lines);
  const runs = Runs.parse((await service.request('GET', `/campaign/${campaign.id}/runs?limit=100`)).body);
  expect(runs.total_count).toBe(rows);
  const legs = await service.carrier.log({ type: 'leg' });
  const rung = new Map<string, Set<string>>();
  for (const { legId = '', to } of legs)
    if (typeof to === 'string') rung.set(to, new Set([...(rung.get(to) ?? []), legId]));
  expect([...rung.values()].filter((ids) => ids.size > 1)).toEqual([]);
  // Between the claim of a dial and the dial its result is unknown; such a row is not dialed again.
  expect(rung.size).toBeGreaterThanOrEqual(rows - lines);
  expect(
    [...rung.keys()].filter(
      (to) => !Array.from({ length: rows }, (_, index) => phoneOf(index + 1)).includes(to),
    ),
  ).toEqual([]);
});
