import { z } from 'zod';
import { command, createCampaign, read } from '../campaigns/campaigns.ts';
import { importPeople } from '../campaigns/files.ts';
import { concurrently, pause } from '../concurrency.ts';
import { sendJson } from '../conversations.ts';
import { createPhoneAgent } from '../phone/agent.ts';
import { busy, listener, numberOf } from '../phone/people.ts';
import type { MeasuredPhone } from '../phone/service.ts';
import { measureLag } from './lag.ts';
import { keptMemoryOf, openTab, type Tab, type TabMemory, type Visitor } from './tab.ts';

/** Calls a second: some calls are live all the time, and the machine is idle for the most part. */
export const pace = 2;

export interface RoomPlan {
  /** For each of the comparisons. */
  lagMs: number;
  memoryMs: number;
  memoryEveryMs: number;
}

export interface Room {
  /** Milliseconds, for each change. */
  lags: { behindProgress: number[]; behindRows: number[]; table: number[] };
  samples: MemorySample[];
}

export interface MemorySample extends TabMemory {
  hours: number;
}

/** Ended rows, as the figures of the page say them. */
const endedRows = `['reached', 'ended', 'failed'].reduce((sum, each) => sum + Number(document.querySelector('[data-figure=' + each + '] b').textContent.replace(/[^0-9]/g, '')), 0)`;
/** The odd rows are those of people who answer: others are in a call for a moment, and nobody sees all of them. */
const isAnswered = (row: number): boolean => row % 2 === 1;
/** The last of these rows in the table. */
const lastRow = `Math.max(0, ...[...document.querySelectorAll('.campaign-scroll tr.is-link > td:first-child')].map((cell) => Number(cell.textContent.replace(/[^0-9]/g, ''))).filter((row) => row % 2 === 1))`;

const Progress = z.looseObject({ rows: z.looseObject({ processed: z.int(), failed: z.int() }) });
const Rows = z.looseObject({ rows: z.array(z.looseObject({ row: z.int(), state: z.string() })) });

/** Opens the control room of a campaign that calls people, and compares it with the API; then watches its memory. */
export async function watchRoom(
  visitor: Visitor,
  phone: MeasuredPhone,
  { plan, print }: { plan: RoomPlan; print: (line: string) => void },
): Promise<Room> {
  const id = await startCalling(phone, (3 * plan.lagMs + plan.memoryMs) / 1000);
  const open = async (filter = '') =>
    await openTab(visitor, { path: `/campaigns/${id}${filter}`, ready: '.campaign-scroll tr.is-link' });
  const tab = await open();
  print('console-rows: the control room beside the progress and the rows');
  const figures = { shown: endedRows, forMs: plan.lagMs };
  const behindProgress = await measureLag(tab, { ...figures, ask: askProgress(phone, id) });
  const behindRows = await measureLag(tab, { ...figures, ask: countEnded(phone, id) });
  const calls = await open('?state=processing');
  const table = await measureLag(calls, { shown: lastRow, forMs: plan.lagMs, ask: askLastRow(phone, id) });
  await calls.page.close();
  print(`console-rows: the memory of the control room over ${plan.memoryMs / 60_000} min`);
  const samples = await sampleMemory(tab, plan);
  await tab.page.close();
  await command(phone, id, 'stop', { mode: 'finish' });
  return { lags: { behindProgress, behindRows, table }, samples };
}

/** A campaign that calls two people a second for so long; one hears the greeting, the other is busy. */
async function startCalling(phone: MeasuredPhone, seconds: number): Promise<number> {
  const { service, carrier } = phone;
  const people = Math.ceil(seconds * pace * 1.3) + 100;
  await sendJson(service.api, 'PUT', '/organizations/dial-policy', { starts_per_second: pace });
  await concurrently({ count: people, width: 8 }, (index) =>
    carrier.setPersonas(`+${numberOf(index)}`, [isAnswered(index + 1) ? listener : busy]),
  );
  const agent = await createPhoneAgent(service.api, service.receiver.url);
  const id = await createCampaign(phone, agent, await importPeople(service, people));
  await command(phone, id, 'start');
  return id;
}

const askProgress =
  ({ service }: MeasuredPhone, id: number) =>
  async (): Promise<number> => {
    const { rows } = Progress.parse(await read(service, `/campaign/${id}/progress`));
    return rows.processed + rows.failed;
  };

const askLastRow =
  ({ service }: MeasuredPhone, id: number) =>
  async (): Promise<number> => {
    const { rows } = Rows.parse(await read(service, `/campaign/${id}/rows?state=processing&limit=100`));
    return Math.max(0, ...rows.map(({ row }) => row).filter(isAnswered));
  };

/** Asks only for the rows after those that have all ended. */
function countEnded({ service }: MeasuredPhone, id: number): () => Promise<number> {
  const isOpen = ({ state }: { state: string }) => state !== 'processed' && state !== 'failed';
  let through = 0;
  return async () => {
    const { rows } = Rows.parse(await read(service, `/campaign/${id}/rows?limit=100&after=${through}`));
    const open = rows.findIndex(isOpen);
    const ended = open < 0 ? rows.length : open;
    through += ended;
    return through + rows.slice(ended).filter((each) => !isOpen(each)).length;
  };
}

async function sampleMemory(tab: Tab, { memoryMs, memoryEveryMs }: RoomPlan): Promise<MemorySample[]> {
  const samples: MemorySample[] = [];
  for (const begun = Date.now(); Date.now() - begun < memoryMs;) {
    await pause(memoryEveryMs);
    samples.push({ hours: (Date.now() - begun) / 3_600_000, ...(await keptMemoryOf(tab)) });
  }
  return samples;
}
