import { z } from 'zod';
import type { PersonaInput } from '../../emulators/carrier/persona.ts';
import type { ConsoleUser, ConsoleWorld } from './console.ts';
import { node } from './definitions.ts';
import { until } from './until.ts';

const Made = z.looseObject({ id: z.int(), directory_id: z.int() });
const Progress = z.looseObject({
  state: z.string(),
  rows: z.looseObject({ queued: z.int(), processing: z.int() }),
});

/** What the screens of campaigns show: ids of what `makeCampaigns` made. */
export interface MadeCampaigns {
  /** Has called everybody once; most wait for a retry. */
  running: number;
  /** Not started. */
  created: number;
  ended: number;
  /** The contacts of the one that is not started. */
  directory: number;
  agent: number;
}

/** A person behind a number of a campaign: rings a moment, then this. */
const persona = (name: string, last: PersonaInput['steps'][number]): PersonaInput => ({
  name,
  steps: [{ do: 'ring', ms: 100 }, last],
});

const ends = [
  persona('Away', { do: 'end', cause: 'no_answer' }),
  persona('Busy', { do: 'busy' }),
  persona('Declines', { do: 'reject' }),
  persona('Away', { do: 'end', cause: 'no_answer' }),
  persona('Nobody', { do: 'not_found' }),
];

/** Invented numbers that ring no real phone. */
export const campaignPhone = (row: number): string => `+1202555${String(2000 + row)}`;

const firstNames = ['Maria', 'Samuel', 'Nora', 'Amir', 'Grace', 'Peter', 'Joan', 'Elif', 'Oliver', 'Ida'];
const lastNames = ['Keller', 'Ortiz', 'Lindqvist', 'Haddad', 'Liu', 'Walsh', 'Rivera'];
const nameOf = (row: number): string =>
  `${firstNames[row % firstNames.length] ?? ''} ${lastNames[row % lastNames.length] ?? ''}`;

/** Makes a published agent that greets its contacts by name. */
export async function makeCaller({ ask }: Pick<ConsoleUser, 'ask'>): Promise<number> {
  const start = { name: 'Start', prompt: 'You are at the start.', greeting: 'Hello {{name}}.' };
  const { id } = z.looseObject({ id: z.int() }).parse(
    await ask('POST', '/workflow/create/definition', {
      name: 'Appointment recall',
      workflow_definition: {
        nodes: [
          node('start', 'startCall', start),
          node('bye', 'endCall', { name: 'Bye', prompt: 'Say goodbye.' }),
        ],
        edges: [
          { id: 'e1', source: 'start', target: 'bye', data: { label: 'done', condition: 'it is done' } },
        ],
      },
    }),
  );
  return id;
}

/** Uploads a file with contacts of these rows, and answers its key. */
export async function uploadContacts(
  { ask }: Pick<ConsoleUser, 'ask'>,
  fileName: string,
  rows: readonly number[],
): Promise<string> {
  const text = [
    'phone_number,name,appointment',
    ...rows.map((row) => `${campaignPhone(row)},${nameOf(row)},Tuesday`),
    'no number,Lena Brandt,Friday', // a row that is left out
  ].join('\n');
  const { upload_url: url, file_key: key } = z.object({ upload_url: z.string(), file_key: z.string() }).parse(
    await ask('POST', '/s3/presigned-upload-url', {
      file_name: fileName,
      file_size: Buffer.byteLength(text),
      content_type: 'text/csv',
    }),
  );
  const put = await fetch(url, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body: text });
  if (!put.ok) throw new Error(`The upload answers ${put.status}`);
  return key;
}

/** Waits until a campaign has this state, and nobody is in a call or waits for the first one. */
export const settled = async ({ ask }: Pick<ConsoleUser, 'ask'>, id: number, state: string) =>
  await until(`campaign ${id} is ${state} and has called everybody once`, async () => {
    const now = Progress.parse(await ask('GET', `/campaign/${id}/progress`));
    return now.state === state && now.rows.queued + now.rows.processing === 0 ? now : undefined;
  });

const range = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => first + at);

const wholeDay = (day: number) => ({ day_of_week: day, start_time: '00:00', end_time: '24:00' });

/** Lets everybody of these rows behave as `ends` says. */
export async function givePersonas(
  { service }: Pick<ConsoleWorld, 'service'>,
  rows: readonly number[],
): Promise<void> {
  await Promise.all(
    rows.map(async (row) => {
      const end = ends[row % ends.length];
      if (end !== undefined) await service.carrier.setPersonas(campaignPhone(row), [end]);
    }),
  );
}

/** Campaigns in three states. The organization has a carrier connection. */
export async function makeCampaigns(world: ConsoleWorld): Promise<MadeCampaigns> {
  const { ask } = world;
  await ask('PUT', '/organizations/dial-policy', { starts_per_second: 20 });
  const agent = await makeCaller(world);
  const create = async (name: string, rows: readonly number[], more: object = {}) => {
    await givePersonas(world, rows);
    const key = await uploadContacts(world, `${name.toLowerCase().replaceAll(' ', '_')}.csv`, rows);
    return Made.parse(
      await ask('POST', '/campaign/create', {
        name,
        workflow_id: agent,
        source_type: 'csv',
        source_id: key,
        circuit_breaker: { enabled: false },
        rules: {},
        ...more,
      }),
    );
  };
  const never = { waits_seconds: [60], max_retries: 0 };
  const ended = await create('October follow-up', range(0, 3), {
    rules: { retry_plan: { no_answer: never, busy: never, declined: never } },
  });
  await ask('POST', `/campaign/${ended.id}/start`, {});
  const running = await create('November reminders', range(10, 11), {
    schedule_config: { timezone: 'America/New_York', slots: range(0, 7).map(wholeDay) },
  });
  await ask('POST', `/campaign/${running.id}/start`, {});
  const created = await create('Recall of no-shows', range(30, 20));
  await ask('POST', `/directories/${created.directory_id}/check`, {});
  await until(
    'the contacts of the new campaign are checked',
    async () =>
      z.looseObject({ state: z.string() }).parse(await ask('GET', `/directories/${created.directory_id}`))
        .state === 'ready',
  );
  await settled(world, ended.id, 'completed');
  await settled(world, running.id, 'running');
  return {
    running: running.id,
    created: created.id,
    ended: ended.id,
    directory: created.directory_id,
    agent,
  };
}
