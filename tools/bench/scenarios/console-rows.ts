import { join } from 'node:path';
import { z } from 'zod';
import { until } from '../../../test/support/until.ts';
import { launchBrowser } from '../../screenshots/browser.ts';
import {
  change,
  closedNow,
  command,
  createCampaign,
  read,
  rowOf,
  widenLines,
} from '../campaigns/campaigns.ts';
import { inFolder } from '../campaigns/files.ts';
import { scrollCampaign, scrollDirectory } from '../console/grid.ts';
import { watchRoom, type RoomPlan } from '../console/room.ts';
import { signIn } from '../console/tab.ts';
import { checkInTab } from '../console/upload.ts';
import { writeCsv } from '../contact-files.ts';
import { createPhoneAgent } from '../phone/agent.ts';
import type { MeasuredPhone } from '../phone/service.ts';
import type { Section } from '../report.ts';
import type { PhoneScenarioOptions } from '../scenario.ts';
import { consoleRowsSection } from './console-rows-section.ts';

interface Size {
  rows: number;
  /** Places of the directory that are shown. */
  jumps: number;
  /** Pages of a campaign's rows that are read one after the other. */
  pages: number;
  room: RoomPlan;
}

const full: Size = {
  rows: 1_000_000,
  jumps: 100,
  pages: 100,
  room: { lagMs: 60_000, memoryMs: 1_200_000, memoryEveryMs: 30_000 },
};
const quick: Size = {
  rows: 20_000,
  jumps: 20,
  pages: 20,
  room: { lagMs: 15_000, memoryMs: 60_000, memoryEveryMs: 5000 },
};

/**
 * Measures the console with a contact file of a million rows, which is uploaded, checked and read in the browser,
 * and the control room of a campaign that calls.
 */
export async function measureConsoleRows({ phone, isQuick, print }: PhoneScenarioOptions): Promise<Section> {
  const size = isQuick ? quick : full;
  const { rows, jumps, pages } = size;
  const media = await phone.startMedia();
  const browser = await launchBrowser();
  try {
    await widenLines(phone);
    const visitor = await signIn(browser, phone.service);
    const checked = await inFolder(async (folder) => {
      const path = join(folder, 'contacts.csv');
      await writeCsv(path, rows);
      print(`console-rows: a file of ${rows} rows is uploaded and checked in a tab`);
      return await checkInTab(visitor, path);
    });
    print('console-rows: its rows in the grid');
    const directory = await scrollDirectory(visitor, { id: checked.directoryId, rows, jumps });
    print('console-rows: a campaign over it is planned outside its hours');
    const id = await planWithoutCalls(phone, checked.directoryId);
    const campaign = await scrollCampaign(visitor, { id, pages });
    const farMs = [
      ...(await timePages(phone, { id, after: rows / 2 })),
      ...(await timePages(phone, { id, after: rows - 100 })),
    ];
    const room = await watchRoom(visitor, phone, { plan: size.room, print });
    return consoleRowsSection({ isQuick, rows, checked, directory, campaign, farMs, room, plan: size.room });
  } finally {
    await browser.close();
    await media.stop();
  }
}

const Directory = z.looseObject({ id: z.int(), file_key: z.string() });

/** Starts a campaign over all rows that calls nobody. Answers its id. */
async function planWithoutCalls(phone: MeasuredPhone, directoryId: number): Promise<number> {
  const { service } = phone;
  const directory = Directory.parse(await read(service, `/directories/${directoryId}`));
  const agent = await createPhoneAgent(service.api, service.receiver.url);
  const id = await createCampaign(phone, agent, { id: directoryId, fileKey: directory.file_key });
  await change(phone, id, closedNow());
  await command(phone, id, 'start');
  await until('the plan of every row', async () => (await rowOf(phone, id)).plannedAt !== null, 400_000);
  return id;
}

const times = 10;

/** A page of rows far behind the first ones, to which nobody scrolls. */
async function timePages(
  { service }: MeasuredPhone,
  { id, after }: { id: number; after: number },
): Promise<number[]> {
  const found: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const begun = performance.now();
    await read(service, `/campaign/${id}/rows?limit=100&after=${after}`);
    found.push(performance.now() - begun);
  }
  return found;
}
