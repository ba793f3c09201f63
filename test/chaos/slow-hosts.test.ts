import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pause } from '../support/chaos/caller.ts';
import {
  openPhoneOffice,
  resultsAt,
  suspend,
  trigger,
  type PhoneOffice,
} from '../support/chaos/phone-calls.ts';
import { deskNumber, phoneCase, type PhoneCase } from '../support/chaos/phone-desk.ts';
import { watchPhones, type PhoneWatch } from '../support/chaos/phone-watch.ts';
import type { MediaProcess } from '../support/phone-service.ts';
import { eventually } from '../support/process.ts';
import { testServices } from '../support/services.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

/** Live calls on a machine or beside hosts that are slow, but not dead. By hand, alone on the machine. */
const callCount = 20;
const busyProcesses = 20;
const busyMs = 30_000;

const slowMs = 30_000;

let mysql: TcpProxy;
let office: PhoneOffice;

beforeAll(async () => {
  const { hostname, port } = new URL(testServices().mariadbUrl);
  mysql = await startTcpProxy({ host: hostname, port: Number(port) });
  office = await openPhoneOffice({
    databaseAddress: { host: '127.0.0.1', port: mysql.port },
    env: { PARLANCE_LOG_LEVEL: 'info' },
  });
}, 240_000);

afterAll(async () => {
  await office?.close();
  await mysql?.close();
}, 60_000);

let nextCase = 1;

/** Places calls, disturbs them when all are connected, and answers their outcomes. */
async function place(count: number, disturb: (watch: PhoneWatch) => Promise<unknown>, limitMs = 150_000) {
  const cases = Array.from({ length: count }, () => phoneCase(nextCase++)).filter(
    ({ ending }) => ending !== 'busy',
  );
  const watch = await watchPhones(office.service.carrier, { deskNumber, onMoment: () => undefined });
  await Promise.all(cases.map((each) => trigger(office.service, each)));
  const isLive = ({ number }: PhoneCase) => watch.calls.get(number)?.answeredAt != null;
  await eventually('all calls are answered', () => (cases.every(isLive) ? true : undefined), {
    limitMs: 60_000,
  });
  await disturb(watch);
  const resultOf = ({ name }: PhoneCase) =>
    resultsAt(office.receiver).filter(({ result }) => result.case === name);
  const missing = () => cases.filter((each) => resultOf(each).length === 0).map(({ name }) => name);
  await eventually('all results', () => (missing().length === 0 ? true : undefined), {
    limitMs,
    detail: () => `missing: ${missing().join(', ')}\n${office.media.output()}`,
  });
  await watch.stop();
  return cases.map((each) => ({
    name: each.name,
    rung: watch.rung.get(each.number),
    dispositions: resultOf(each).map(({ result }) => result.call_disposition),
    heard: watch.entries.flatMap(({ type, text, legId }) =>
      type === 'heard' && legId === watch.calls.get(each.number)?.legId ? [String(text)] : [],
    ),
  }));
}

/** The outcomes that are not one result of a call that rang once and was not given up. */
const faulty = (outcomes: Awaited<ReturnType<typeof place>>) =>
  outcomes.filter(
    ({ rung, dispositions }) =>
      rung !== 1 || dispositions.length !== 1 || dispositions.includes('pipeline_error'),
  );

test('twenty live calls beside twenty busy processes: none is given up, and the only media host stays', async () => {
  const outcomes = await place(callCount, async () => {
    const busy = Array.from({ length: busyProcesses }, () => spawn(process.execPath, ['-e', 'for(;;);']));
    await pause(busyMs);
    for (const each of busy) each.kill('SIGKILL');
  });
  expect(faulty(outcomes)).toEqual([]);
  expect(office.media.child.exitCode ?? office.media.child.signalCode).toBeNull();
}, 600_000);

/** MySQL takes longer than a second for each answer. */
async function slowMysql(meanwhile: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
  mysql.slowDown(1200);
  await Promise.all([pause(slowMs), meanwhile()]);
  mysql.slowDown(0);
}

/** The only host is stopped meanwhile, and speaks again before MySQL is fast. */
async function stopHostWhileMysqlIsSlow(): Promise<void> {
  let runsAt = Infinity;
  await slowMysql(async () => {
    await suspend(office.media, 3000);
    runsAt = Date.now();
  });
  const fastAt = Date.now();
  const sounds = await office.service.carrier.log({ type: 'sound_began' });
  expect(sounds.filter(({ at }) => at > runsAt && at < fastAt)).not.toEqual([]);
}

test.each<[string, () => Promise<unknown>]>([
  ['whose host is stopped for 5 s', () => suspend(office.media, 5000)],
  ['whose host is stopped for 20 s', () => suspend(office.media, 20_000)],
  ['while MySQL stands still for 5 s', () => mysql.stall(5000)],
  ['while MySQL takes longer than a second for each answer', () => slowMysql()],
  [
    'whose host is stopped for 3 s while MySQL takes longer than a second for each answer',
    stopHostWhileMysqlIsSlow,
  ],
])(
  'ten live calls %s: none is given up, and the only media host stays',
  async (_title, disturb) => {
    expect(faulty(await place(10, disturb))).toEqual([]);
    expect(office.media.child.exitCode ?? office.media.child.signalCode).toBeNull();
  },
  600_000,
);

test.each([5000, 20_000])(
  'ten live calls whose host is stopped for %i ms beside another one: none is given up',
  async (ms) => {
    const other: { host?: MediaProcess } = {};
    const outcomes = await place(10, async () => {
      other.host = await office.service.startMedia();
      await suspend(office.media, ms);
    });
    expect(faulty(outcomes)).toEqual([]);
    await office.media.stop();
    office.media = other.host ?? office.media;
  },
  600_000,
);

test('a call without any worker for a minute hears a line and a goodbye, is hung up, and gets its record from the next worker', async () => {
  const [outcome] = await place(1, async (watch) => {
    office.worker.child.kill('SIGKILL');
    await eventually(
      'the hang-up',
      () => ([...watch.calls.values()].every(({ endedAt }) => endedAt !== null) ? true : undefined),
      { limitMs: 120_000 },
    );
    office.worker = office.service.startWorker();
  });
  expect(outcome).toMatchObject({ rung: 1, dispositions: ['pipeline_error'] });
  expect(outcome?.heard.join('')).toMatch(/One moment, please\..*must end the call/);
}, 600_000);
