import { join } from 'node:path';
import {
  change,
  closedNow,
  command,
  createCampaign,
  dialsIn,
  legsFromNow,
  importContacts,
  read,
  rowOf,
  untilCompleted,
  widenLines,
  type Directory,
} from '../campaigns/campaigns.ts';
import { inFolder } from '../campaigns/files.ts';
import { rowOf as contactOf, writeCsv } from '../contact-files.ts';
import { concurrently, pause } from '../concurrency.ts';
import { watchMemory } from '../memory-watch.ts';
import { createPhoneAgent } from '../phone/agent.ts';
import { untilAllEnded } from '../phone/calls.ts';
import { busy } from '../phone/people.ts';
import type { MeasuredPhone } from '../phone/service.ts';
import { useOf } from '../process-use.ts';
import { figure, type Section } from '../report.ts';
import type { PhoneScenarioOptions } from '../scenario.ts';
import { until } from '../../../test/support/until.ts';

const wanted = { firstDialMs: 5000, growth: 1.5, memoryMb: 100 };
/**
 * People at the head of the file, who are busy; the campaign is paused before it reaches the others, who
 * would talk.
 */
const busyPeople = 4000;
/** How long to dial with a million planned rows. */
const dialingMs = 30_000;
const planning = 'Start of a campaign outside its hours until every row is planned';

interface Timed {
  what: string;
  seconds: number;
  /** The process that does the work. */
  process: 'worker' | 'api';
  beforeMb: number;
  maxMb: number;
}

interface Planned {
  firstDialMs: number;
  /** Milliseconds for each thousand rows, in the first tenth of the rows and in the last one. */
  perThousand: { first: number; last: number };
  /** Dials a second during planning, and with all rows planned. */
  dials: { planning: number; planned: number };
  /** The longest time between two dials, once all rows are planned. */
  maxPauseMs: number;
}

/**
 * Measures a campaign of a million rows: its first dial, its planning, its dials, and later requests about
 * it.
 */
export async function measureMillion({ phone, isQuick, print }: PhoneScenarioOptions): Promise<Section> {
  const rows = isQuick ? 50_000 : 1_000_000;
  const media = await phone.startMedia();
  try {
    await widenLines(phone);
    await concurrently({ count: busyPeople, width: 8 }, (index) =>
      phone.carrier.setPersonas(contactOf(index)[0] ?? '', [busy]),
    );
    return await inFolder(async (folder) => {
      const path = join(folder, 'contacts.csv');
      await writeCsv(path, rows);
      print(`campaign-million: ${rows} rows are being imported`);
      const directory = await importContacts(phone.service, path);
      const agent = await createPhoneAgent(phone.service.api, phone.service.receiver.url);
      const id = await createCampaign(phone, agent, directory);
      const timed: Timed[] = [];
      const planned = await plan(phone, id, { rows, timed, print });
      await untilAllEnded(phone, agent, 60_000);
      await askAfterwards(phone, id, { timed, print });
      await planWithoutCalls(phone, await createCampaign(phone, agent, directory), timed);
      print('campaign-million: an unused directory is being deleted');
      await deleteUnused(phone, await importContacts(phone.service, path), timed);
      return section(rows, { planned, timed });
    });
  } finally {
    await media.stop();
  }
}

async function plan(
  phone: MeasuredPhone,
  id: number,
  { rows, timed, print }: { rows: number; timed: Timed[]; print: (line: string) => void },
): Promise<Planned> {
  const log = await legsFromNow(phone);
  const { worker } = phone.service.roles;
  const [beforeMb, max] = [useOf(worker.pid).rssMb, watchMemory(worker.pid)];
  const begun = Date.now();
  await command(phone, id, 'start');
  const seen: { row: number; at: number }[] = [];
  await until(
    'the plan of every row',
    async () => {
      const { plannedThroughRow: row, plannedAt } = await rowOf(phone, id);
      if (row !== seen.at(-1)?.row) seen.push({ row, at: Date.now() });
      return plannedAt !== null;
    },
    400_000,
  );
  const plannedAt = Date.now();
  timed.push({
    what: 'Start until every row is planned',
    seconds: (plannedAt - begun) / 1000,
    process: 'worker',
    beforeMb,
    maxMb: max(),
  });
  print('campaign-million: dials with all rows planned');
  await pause(dialingMs);
  const pausedAt = Date.now();
  await command(phone, id, 'pause');
  const dials = dialsIn(await log());
  const first = dials[0] ?? Number.NaN;
  const later = dials.filter((at) => at > plannedAt);
  const perSecond = (from: number, to: number) =>
    dials.filter((at) => at >= from && at < to).length / ((to - from) / 1000);
  return {
    firstDialMs: first - begun,
    perThousand: {
      first: msPerThousand(seen, 0, rows / 10),
      last: msPerThousand(seen, (rows * 9) / 10, rows),
    },
    dials: { planning: perSecond(first, plannedAt), planned: perSecond(plannedAt, pausedAt) },
    maxPauseMs: Math.max(...later.map((at, index) => at - (later[index - 1] ?? plannedAt))),
  };
}

function msPerThousand(seen: readonly { row: number; at: number }[], from: number, to: number): number {
  const within = seen.filter(({ row }) => row >= from && row <= to);
  const [first, last] = [within[0], within.at(-1)];
  return first === undefined || last === undefined
    ? Number.NaN
    : ((last.at - first.at) * 1000) / (last.row - first.row);
}

async function askAfterwards(
  phone: MeasuredPhone,
  id: number,
  { timed, print }: { timed: Timed[]; print: (line: string) => void },
): Promise<void> {
  const { service } = phone;
  const time = async (what: string, work: () => Promise<unknown>, process: Timed['process'] = 'api') => {
    print(`campaign-million: ${what}`);
    const { pid } = service.roles[process];
    const [beforeMb, max, begun] = [useOf(pid).rssMb, watchMemory(pid), performance.now()];
    await work();
    timed.push({ what, seconds: (performance.now() - begun) / 1000, process, beforeMb, maxMb: max() });
  };
  await time('Progress', () => read(service, `/campaign/${id}/progress`));
  await time('A page of waiting rows', () => read(service, `/campaign/${id}/rows?state=queued`));
  await time('Change of the lines', () => change(phone, id, { max_concurrency: 50 }));
  await time('Export of all rows as CSV', () =>
    download(phone, `/campaign/${id}/export?kind=results&format=csv`),
  );
  await time('Export of all rows as XLSX', () =>
    download(phone, `/campaign/${id}/export?kind=results&format=xlsx`),
  );
  await time('Report of its calls', () => download(phone, `/campaign/${id}/report`));
  await time(
    'Stop until every row is closed',
    async () => {
      await command(phone, id, 'stop', { mode: 'finish' });
      await untilCompleted(phone, id, 400_000);
    },
    'worker',
  );
  await time('Redial of busy numbers', () =>
    command(phone, id, 'redial', { retry_on_busy: true, retry_on_no_answer: true, retry_on_voicemail: true }),
  );
}

/** Only planning, because its hours are closed. */
async function planWithoutCalls(phone: MeasuredPhone, id: number, timed: Timed[]): Promise<void> {
  await change(phone, id, closedNow());
  const { pid } = phone.service.roles.worker;
  const [beforeMb, max, begun] = [useOf(pid).rssMb, watchMemory(pid), performance.now()];
  await command(phone, id, 'start');
  await until(
    'the plan of every row, without calls',
    async () => (await rowOf(phone, id)).plannedAt !== null,
    400_000,
  );
  timed.push({
    what: planning,
    seconds: (performance.now() - begun) / 1000,
    process: 'worker',
    beforeMb,
    maxMb: max(),
  });
  await command(phone, id, 'stop', { mode: 'finish' });
  await untilCompleted(phone, id, 400_000);
}

async function download({ service: { api } }: MeasuredPhone, path: string): Promise<void> {
  const answer = await fetch(`${api.url}/api/v1${path}`, {
    headers: { 'X-API-Key': api.key },
    signal: AbortSignal.timeout(400_000),
  });
  if (!answer.ok || answer.body === null) throw new Error(`GET ${path} answered ${answer.status}`);
  for await (const _ of answer.body) continue;
}

async function deleteUnused(
  { service: { api, roles } }: MeasuredPhone,
  { id }: Directory,
  timed: Timed[],
): Promise<void> {
  const { pid } = roles.api;
  const [beforeMb, max, begun] = [useOf(pid).rssMb, watchMemory(pid), performance.now()];
  const answer = await fetch(`${api.url}/api/v1/directories/${id}`, {
    method: 'DELETE',
    headers: { 'X-API-Key': api.key },
    signal: AbortSignal.timeout(400_000),
  });
  if (!answer.ok) throw new Error(`The directory is not deleted: ${answer.status} ${await answer.text()}`);
  timed.push({
    what: 'Deletion of an unused directory',
    seconds: (performance.now() - begun) / 1000,
    process: 'api',
    beforeMb,
    maxMb: max(),
  });
}

function section(rows: number, { planned, timed }: { planned: Planned; timed: readonly Timed[] }): Section {
  const { firstDialMs, perThousand, dials, maxPauseMs } = planned;
  const growth = perThousand.last / perThousand.first;
  const memory = timed.find(({ what }) => what === planning);
  const grownMb = memory === undefined ? Number.NaN : memory.maxMb - memory.beforeMb;
  return {
    id: 'campaign-million',
    title: `A campaign of ${figure(rows)} rows`,
    method: [
      `A CSV file of ${figure(rows)} rows is imported and a campaign over it started: 100 lines, practically no pace limit. The callees at the head of the file are busy; the campaign dials while its rows are planned and for ${dialingMs / 1000} s after that, and is then paused. *First dial* counts from sending the start to the **simulated** carrier's log. Afterwards its lists and reports are requested, and it is stopped and redialed. Another campaign over the same rows is started outside its hours, so that it plans but dials no one. The same file is imported once more, and that directory is deleted. Memory is the resident set of the process that does the work, including garbage, read five times a second.`,
    ],
    tables: [
      {
        columns: [
          'First dial, ms',
          'Planning of 1,000 rows: first tenth, ms',
          'last tenth, ms',
          'Dials a second during planning',
          'with all rows planned',
          'Longest pause between two dials, ms',
        ],
        rows: [
          [
            figure(firstDialMs),
            figure(perThousand.first),
            figure(perThousand.last),
            figure(dials.planning),
            figure(dials.planned),
            figure(maxPauseMs),
          ],
        ],
      },
      {
        columns: ['', 's', 'Process', 'Before, MB', 'At most, MB'],
        rows: timed.map(({ what, seconds, process, beforeMb, maxMb }) => [
          what,
          figure(seconds),
          process,
          figure(beforeMb),
          figure(maxMb),
        ]),
      },
    ],
    targets: [
      {
        what: 'First dial after the start',
        wanted: `≤ ${figure(wanted.firstDialMs)} ms`,
        measured: `${figure(firstDialMs)} ms`,
        isMet: firstDialMs <= wanted.firstDialMs,
      },
      {
        what: 'Planning time of a row at the end, relative to one at the beginning',
        wanted: `≤ ${wanted.growth} ×`,
        measured: `${figure(growth)} ×`,
        isMet: growth <= wanted.growth,
      },
      {
        what: "Growth of the worker's memory during planning without calls",
        wanted: `≤ ${wanted.memoryMb} MB`,
        measured: `${figure(grownMb)} MB`,
        isMet: grownMb <= wanted.memoryMb,
      },
    ],
  };
}
