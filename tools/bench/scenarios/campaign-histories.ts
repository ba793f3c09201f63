import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suppressions } from '../../../src/db/tables/suppressions.ts';
import { timeoutsMs } from '../../../src/domain/declaration.ts';
import { campaignWorkflowId } from '../../../src/domain/temporal-ids.ts';
import {
  command,
  createCampaign,
  importContacts,
  rowOf,
  untilCompleted,
  widenLines,
} from '../campaigns/campaigns.ts';
import { inFolder } from '../campaigns/files.ts';
import { rowOf as contactOf } from '../contact-files.ts';
import { concurrently } from '../concurrency.ts';
import { createPhoneAgent } from '../phone/agent.ts';
import { busy } from '../phone/people.ts';
import type { MeasuredPhone } from '../phone/service.ts';
import { figure, type Section } from '../report.ts';
import type { PhoneScenarioOptions } from '../scenario.ts';

/** Rows that are called; the other numbers are suppressed after the import. */
const called = 100;
const atOnce = 5000;

interface Measured {
  rows: number;
  seconds: number;
  events: number;
  bytes: number;
  runs: number;
}

/** Measures the length of campaign histories. */
export async function measureCampaignHistories({
  phone,
  isQuick,
  print,
}: PhoneScenarioOptions): Promise<Section> {
  const media = await phone.startMedia();
  try {
    await widenLines(phone);
    await concurrently({ count: called, width: 8 }, (index) =>
      phone.carrier.setPersonas(contactOf(index)[0] ?? '', [busy]),
    );
    const measured: Measured[] = [];
    for (const rows of isQuick ? [called, 5000] : [called, 10_000, 100_000]) {
      print(`campaign-histories: a campaign of ${rows} rows`);
      measured.push(await measure(phone, rows));
    }
    return section(measured);
  } finally {
    await media.stop();
  }
}

async function measure(phone: MeasuredPhone, rows: number): Promise<Measured> {
  const { db, temporal } = phone.service;
  const directory = await inFolder(async (folder) => {
    const path = join(folder, 'contacts.csv');
    await writeFile(
      path,
      [
        'phone_number,first_name',
        ...Array.from({ length: rows }, (_, index) => `${contactOf(index)[0]},Maria`),
      ].join('\n'),
    );
    return await importContacts(phone.service, path);
  });
  const agent = await createPhoneAgent(phone.service.api, phone.service.receiver.url);
  const id = await createCampaign(phone, agent, directory);
  const { uuid, organizationId } = await rowOf(phone, id);
  await forbid(phone, organizationId, rows);
  const begun = performance.now();
  await command(phone, id, 'start');
  await untilCompleted(phone, id, 500_000);
  const seconds = (performance.now() - begun) / 1000;
  await db.getRepository(suppressions).delete({ organizationId });
  const runs = [];
  for await (const run of temporal.client.workflow.list({
    query: `WorkflowId = '${campaignWorkflowId(uuid)}'`,
  }))
    runs.push(run);
  const described = await Promise.all(
    runs.map(({ workflowId, runId }) => temporal.client.workflow.getHandle(workflowId, runId).describe()),
  );
  return {
    rows,
    seconds,
    runs: runs.length,
    events: sum(described.map(({ historyLength }) => historyLength)),
    bytes: sum(described.map(({ historySize }) => historySize ?? 0)),
  };
}

/** Suppresses everyone after the called people. */
async function forbid(
  { service: { db } }: MeasuredPhone,
  organizationId: number,
  rows: number,
): Promise<void> {
  for (let from = called; from < rows; from += atOnce) {
    const numbers = Array.from(
      { length: Math.min(atOnce, rows - from) },
      (_, index) => contactOf(from + index)[0]?.slice(1) ?? '',
    );
    await db.getRepository(suppressions).insert(
      numbers.map((phone) => ({
        organizationId,
        phone,
        source: 'file' as const,
        reason: '',
        callId: null,
        createdByUserId: null,
        createdAt: new Date(),
      })),
    );
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}

function section(measured: readonly Measured[]): Section {
  const [first, last] = [measured[0], measured.at(-1)];
  const perSecond = ({ events, seconds }: Measured) => events / seconds;
  return {
    id: 'campaign-histories',
    title: 'Histories of campaigns',
    method: [
      `The histories of campaigns with these numbers of rows, from start to completion, as Temporal stores them. In each campaign, the ${called} people at the head of the file are called, and are busy. A hundred thousand real calls would take hours here: the numbers of the others are forbidden after the check of the file, so that each row is planned, looked at, closed with its outcome and counted like any other, without a call. An end of a call tells the campaign's Workflow nothing, so its history grows with time, not with calls: one activity and one timer in up to ${timeoutsMs.campaignPacing / 1000} s.`,
    ],
    tables: [
      {
        columns: ['Rows', 's', 'Rows a second', 'Runs', 'Events', 'kB'],
        rows: measured.map(({ rows, seconds, runs, events, bytes }) => [
          figure(rows),
          figure(seconds),
          figure(rows / seconds),
          String(runs),
          String(events),
          figure(bytes / 1000),
        ]),
      },
    ],
    targets:
      first === undefined || last === undefined
        ? []
        : [
            {
              what: `Events of the history a second, ${figure(last.rows)} rows, of those of ${figure(first.rows)}`,
              wanted: '≤ 1 ×',
              measured: `${figure(perSecond(last) / perSecond(first))} ×`,
              isMet: perSecond(last) <= perSecond(first),
            },
          ],
  };
}
