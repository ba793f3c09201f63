import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { startPhoneService, type PhoneService } from '../support/phone-service.ts';
import { completeGraph } from '../support/api-on-services.ts';
import { eventually } from '../support/process.ts';

/**
 * A campaign of a published client (contract 14.4): upload by link, create, start, watch, read the results.
 * Every role is a separate process.
 */

let service: PhoneService;

beforeAll(async () => {
  service = await startPhoneService({ databaseKind: 'mysql', env: { PARLANCE_LOG_LEVEL: 'info' } });
  await service.connect();
  const worker = service.startWorker();
  await service.startMedia();
  await eventually(
    'workers poll',
    () => (worker.output().includes('The workers are polling') ? true : undefined),
    {
      detail: () => service.logs(),
    },
  );
});

afterAll(async () => await service?.stop());

const Made = z.looseObject({ id: z.int() });
const Upload = z.object({ upload_url: z.string(), file_key: z.string() });
const Progress = z.looseObject({
  state: z.string(),
  total_rows: z.int().nullable(),
  processed_rows: z.int(),
  failed_calls: z.int(),
  progress_percentage: z.number(),
  rows: z.looseObject({ left_out: z.int() }),
  outcomes: z.record(z.string(), z.int()),
});
const Runs = z.object({
  total_count: z.int(),
  runs: z.array(
    z.looseObject({
      name: z.string(),
      is_completed: z.boolean(),
      called_number: z.string().nullable(),
      disposition: z.string().nullable(),
      initial_context: z.looseObject({}),
    }),
  ),
});

const busy = ['12025550111', '12025550112'];
const contacts = `phone_number,first_name,customer_id\n+${busy[0]},Ada,c-1\n${busy[1]},Bob,\n14155550130.0,Eve,c-3\n`;

test('a presigned upload becomes a campaign that calls every contact once, excludes the bad row, ends, and appears in runs, report and export', async () => {
  for (const number of busy)
    await service.carrier.setPersonas(`+${number}`, [
      {
        name: 'Engaged',
        steps: [
          { do: 'ring', ms: 200 },
          { do: 'end', cause: 'user_busy' },
        ],
      },
    ]);
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await service.request(method, path, body);
    expect({ path, status: answer.status, body: answer.body }).toMatchObject({ path, status: 200 });
    return answer.body;
  };
  const agent = Made.parse(
    await ask('POST', '/workflow/create/definition', {
      name: 'Order desk',
      workflow_definition: completeGraph('Hello {{first_name}}'),
    }),
  );

  const bytes = Buffer.byteLength(contacts);
  const upload = Upload.parse(
    await ask('POST', '/s3/presigned-upload-url', {
      file_name: 'contacts.csv',
      file_size: bytes,
      content_type: 'text/csv',
    }),
  );
  expect(
    (
      await fetch(upload.upload_url, {
        method: 'PUT',
        headers: { 'content-type': 'text/csv' },
        body: contacts,
      })
    ).status,
  ).toBe(200);
  const { id } = Made.parse(
    await ask('POST', '/campaign/create', {
      name: 'Spring',
      workflow_id: agent.id,
      source_type: 'csv',
      source_id: upload.file_key,
      retry_config: { enabled: false },
    }),
  );
  expect(await ask('POST', `/campaign/${id}/start`)).toMatchObject({ id, state: 'syncing' });

  const progress = await eventually(
    'the campaign is over',
    async () => {
      const now = Progress.parse(await ask('GET', `/campaign/${id}/progress`));
      return now.state === 'completed' || now.state === 'failed' ? now : undefined;
    },
    { detail: () => service.logs() },
  );
  expect(progress).toMatchObject({
    state: 'completed',
    total_rows: 3,
    progress_percentage: 100,
    rows: { left_out: 1 },
    outcomes: { busy: 2 },
  });
  expect(progress.processed_rows + progress.failed_calls).toBe(2);

  const runs = Runs.parse(await ask('GET', `/campaign/${id}/runs?page=1&limit=8`));
  expect(runs.runs.map(({ called_number }) => called_number ?? '').toSorted()).toEqual(busy);
  expect(
    runs.runs.map(({ name, is_completed, disposition }) => ({ name, is_completed, disposition })),
  ).toEqual(
    runs.runs.map(({ initial_context }) => ({
      name: `WR-CAMPAIGN-${id}-${String(initial_context['first_name']) === 'Ada' ? 1 : 2}`,
      is_completed: true,
      disposition: 'busy',
    })),
  );
  expect(
    runs.runs
      .map(({ initial_context }) => initial_context)
      .toSorted((one, other) => String(one['phone_number']).localeCompare(String(other['phone_number']))),
  ).toMatchObject([
    {
      campaign_id: id,
      first_name: 'Ada',
      ext_customer_id: 'c-1',
      record_key: 'ext:c-1|1',
      phone_number: busy[0],
      called_number: busy[0],
      caller_number: '+12025550100',
      direction: 'outbound',
      source_uuid: expect.stringMatching(/^csv_[0-9a-f]{8}_row_1$/),
    },
    { campaign_id: id, first_name: 'Bob', record_key: `phone:${busy[1]}`, phone_number: busy[1] },
  ]);
  expect(runs.runs.filter(({ initial_context }) => 'customer_id' in initial_context)).toEqual([]);

  // The carrier's own log has the rung numbers.
  const rung = (await service.carrier.log({ type: 'leg' }))
    .filter(({ state }) => state === 'ringing')
    .map(({ to }) => String(to));
  expect(rung.toSorted()).toEqual(busy.map((number) => `+${number}`));

  const text = async (path: string) =>
    await (
      await fetch(`${service.apiUrl}/api/v1${path}`, { headers: { 'x-api-key': service.apiKey } })
    ).text();
  expect((await text(`/campaign/${id}/report`)).trim().split('\r\n')).toHaveLength(3);
  const exported = await text(`/campaign/${id}/export?kind=results`);
  expect(exported.split('\r\n').map((line) => line.split(',')[3])).toEqual([
    'State',
    expect.any(String),
    expect.any(String),
    'left_out',
    undefined,
  ]);
});
