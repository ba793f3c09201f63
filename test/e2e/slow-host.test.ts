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
import { isEverythingGenerated, seededRandom } from '../support/seed.ts';
import { testServices } from '../support/services.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

let mysql: TcpProxy;
let office: PhoneOffice;

beforeAll(async () => {
  const { hostname, port } = new URL(testServices().mariadbUrl);
  mysql = await startTcpProxy({ host: hostname, port: Number(port) });
  office = await openPhoneOffice({ databaseAddress: { host: '127.0.0.1', port: mysql.port } });
});

afterAll(async () => {
  await office?.close();
  await mysql?.close();
});

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
    { detail: () => office.media.output() },
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
type Disturbed = Awaited<ReturnType<typeof callThrough>>;
const undisturbed = ({ heard }: Disturbed) => ({ ...whole, heard, missing: [] });

test('a phone call stays at its only media host, word for word, even if that host gets no processor time for five seconds', async () => {
  const call = await callThrough(() => suspend(office.media, 5000));
  expect(call).toEqual(undisturbed(call));
  expect(exitOf(office.media)).toBeNull();
});

/** Each title with the disturbance and what must be true of the call. A usual run takes one of them. */
const disturbances: [string, () => Promise<unknown>, (call: Disturbed) => object][] = [
  ['goes on undisturbed while MySQL stands still for five seconds', () => mysql.stall(5000), undisturbed],
  [
    'keeps its leg and continues when its only media host comes back after twenty seconds',
    () => suspend(office.media, 20_000),
    () => whole,
  ],
  [
    'goes on after a fixed line, which its caller hears while all workers are dead',
    async () => {
      office.worker.child.kill('SIGKILL');
      await pause(15_000);
      office.worker = office.service.startWorker();
    },
    () => ({ ...whole, heard: expect.stringContaining('One moment, please.'), missing: [] }),
  ],
  [
    'goes on when its media host gets no processor time for twenty seconds and another host has room',
    async () => {
      const slow = office.media;
      office.media = await office.service.startMedia();
      await suspend(slow, 20_000);
    },
    () => whole,
  ],
];
const random = seededRandom('slow hosts');
const only = Math.floor(random() * disturbances.length);
const chosen = isEverythingGenerated ? disturbances : disturbances.filter((_, index) => index === only);

test.each(chosen)('a phone call %s', async (_title, disturb, expected) => {
  const call = await callThrough(disturb);
  expect(call).toMatchObject(expected(call));
  expect(exitOf(office.media)).toBeNull();
});
