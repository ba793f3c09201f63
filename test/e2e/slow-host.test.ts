import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pause } from '../support/chaos/caller.ts';
import {
  openPhoneOffice,
  resultsAt,
  suspend,
  trigger,
  type PhoneOffice,
} from '../support/chaos/phone-calls.ts';
import { deskNumber, phoneCase } from '../support/chaos/phone-desk.ts';
import { watchPhones } from '../support/chaos/phone-watch.ts';
import type { MediaProcess } from '../support/phone-service.ts';
import { eventually } from '../support/process.ts';
import { testServices } from '../support/services.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

let mysql: TcpProxy;
let office: PhoneOffice;

beforeAll(async () => {
  const { hostname, port } = new URL(testServices().mariadbUrl);
  mysql = await startTcpProxy({ host: hostname, port: Number(port) });
  office = await openPhoneOffice({ databaseAddress: { host: '127.0.0.1', port: mysql.port } });
}, 240_000);

afterAll(async () => {
  await office?.close();
  await mysql?.close();
}, 60_000);

const qualified = [1, 4, 7, 11, 14, 17].map(phoneCase);

/** One call, disturbed in the middle of its first clause. */
async function callThrough(disturb: () => Promise<unknown>) {
  const each = qualified.shift();
  if (each === undefined) throw new Error('no case is left');
  const disturbing: Promise<unknown>[] = [];
  const watch = await watchPhones(office.service.carrier, {
    deskNumber,
    onMoment: (moment) => {
      if (moment === 'mid-clause' && disturbing.length === 0) disturbing.push(disturb());
    },
  });
  await trigger(office.service, each);
  const result = await eventually(
    'the result',
    () => {
      const found = resultsAt(office.receiver).find(({ result: { case: name } }) => name === each.name);
      return watch.calls.get(each.number)?.endedAt != null ? found : undefined;
    },
    { limitMs: 150_000, detail: () => office.media.output() },
  );
  await Promise.all(disturbing);
  await watch.stop();
  const withoutGaps = (text: string) => text.replaceAll(' ', ''); // the pause was in the middle of a word
  const heard = watch.entries.flatMap(({ type, text }) => (type === 'heard' ? [String(text)] : [])).join('');
  return {
    isDisturbed: disturbing.length > 0,
    disposition: result.result.call_disposition,
    rung: watch.rung.get(each.number),
    heard,
    missing: each.clauses.filter(({ text }) => !withoutGaps(heard).includes(withoutGaps(text))),
  };
}

const exitOf = ({ child: { exitCode, signalCode } }: MediaProcess) => exitCode ?? signalCode;
const whole = { isDisturbed: true, disposition: 'user_qualified', rung: 1 };

test('a phone call stays at its only media host, word for word, even if that host gets no processor time for five seconds', async () => {
  const call = await callThrough(() => suspend(office.media, 5000));
  expect(call).toEqual({ ...whole, heard: call.heard, missing: [] });
  expect(exitOf(office.media)).toBeNull();
}, 240_000);

test('a phone call goes on undisturbed while MySQL stands still for five seconds', async () => {
  const call = await callThrough(() => mysql.stall(5000));
  expect(call).toEqual({ ...whole, heard: call.heard, missing: [] });
  expect(exitOf(office.media)).toBeNull();
}, 240_000);

test('a phone call keeps its line and continues when its only media host comes back after twenty seconds', async () => {
  const call = await callThrough(() => suspend(office.media, 20_000));
  expect(call).toMatchObject(whole);
  expect(exitOf(office.media)).toBeNull();
}, 240_000);

test('a caller hears a fixed line while all workers are dead, and the call goes on with the next one', async () => {
  const call = await callThrough(async () => {
    office.worker.child.kill('SIGKILL');
    await pause(15_000);
    office.worker = office.service.startWorker();
  });
  expect(call).toEqual({ ...whole, heard: expect.stringContaining('One moment, please.'), missing: [] });
}, 240_000);

test('a phone call goes on when its media host gets no processor time for twenty seconds and another host has room', async () => {
  const other: { host?: MediaProcess } = {};
  const call = await callThrough(async () => {
    other.host = await office.service.startMedia();
    await suspend(office.media, 20_000);
  });
  expect(call).toMatchObject(whole);
  await office.media.stop();
  office.media = other.host ?? office.media;
}, 240_000);
