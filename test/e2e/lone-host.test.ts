import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { timeoutsMs } from '../../src/domain/declaration.ts';
import { prepareDesk, resultsAt, startCustomer, trigger } from '../support/chaos/phone-calls.ts';
import { deskNumber, phoneCase } from '../support/chaos/phone-desk.ts';
import { watchPhones } from '../support/chaos/phone-watch.ts';
import { startPhoneService, type MediaProcess, type PhoneService } from '../support/phone-service.ts';
import { eventually } from '../support/process.ts';
import type { Receiver } from '../support/receiver.ts';

let service: PhoneService;
let receiver: Receiver;
let media: MediaProcess;

beforeAll(async () => {
  service = await startPhoneService();
  receiver = await startCustomer(service, () => undefined);
  await prepareDesk(service, receiver);
  service.startWorker();
  media = await service.startMedia();
}, 240_000);

afterAll(async () => {
  await receiver?.close();
  await service?.stop();
}, 60_000);

test('a phone call stays at its only media host, even if that host gets no processor time for longer than its lease', async () => {
  const each = phoneCase(1);
  let stops = 0;
  const watch = await watchPhones(service.carrier, {
    deskNumber,
    onMoment: (moment) => {
      if (moment !== 'mid-clause' || stops > 0) return;
      stops += 1;
      media.child.kill('SIGSTOP');
      setTimeout(() => media.child.kill('SIGCONT'), timeoutsMs.mediaLease + 500);
    },
  });
  await trigger(service, each);
  await eventually(
    'the result',
    () =>
      resultsAt(receiver).length > 0 && watch.calls.get(each.number)?.endedAt != null ? true : undefined,
    { limitMs: 150_000, detail: () => media.output() },
  );
  await watch.stop();
  const heard = watch.entries.flatMap(({ type, text }) => (type === 'heard' ? [String(text)] : [])).join('');
  const withoutGaps = (text: string) => text.replaceAll(' ', ''); // the pause was in the middle of a word
  expect({
    stops,
    heard,
    missing: each.clauses.filter(({ text }) => !withoutGaps(heard).includes(withoutGaps(text))),
  }).toEqual({ stops: 1, heard, missing: [] });
  expect(resultsAt(receiver)).toMatchObject([
    { result: { case: each.name, call_disposition: each.disposition } },
  ]);
  expect({ code: media.child.exitCode, signal: media.child.signalCode }).toEqual({
    code: null,
    signal: null,
  });
}, 240_000);
