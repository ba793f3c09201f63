import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ordersAt, prepareDesk, resultsAt, startCustomer, trigger } from '../support/chaos/phone-calls.ts';
import { deskNumber, personaOf, phoneCase, type PhoneCase } from '../support/chaos/phone-desk.ts';
import { Fleet, startersOf, type Role } from '../support/chaos/phone-fleet.ts';
import { verdictOf } from '../support/chaos/phone-verdict.ts';
import { watchPhones, type Moment, type PhoneWatch, type SeenCall } from '../support/chaos/phone-watch.ts';
import { startPhoneService, type PhoneService } from '../support/phone-service.ts';
import { eventually } from '../support/process.ts';
import type { Receiver } from '../support/receiver.ts';

/**
 * Whole phone calls. Every role and every simulator is a separate process; the words that people heard and
 * the customer's webhooks are checked.
 */

let service: PhoneService;
let receiver: Receiver;
let fleet: Fleet;
let ownNumber: string;
let onOrder: (name: string) => void = () => undefined;

beforeAll(async () => {
  service = await startPhoneService({ env: { PARLANCE_LOG_LEVEL: 'info' } });
  receiver = await startCustomer(service, (name) => onOrder(name));
  ({ number: ownNumber } = await prepareDesk(service, receiver));
  fleet = new Fleet(startersOf(service));
  fleet.adopt('api', service.api);
  for (const role of ['worker', 'media', 'media'] as const) await fleet.add(role);
  await eventually('all roles are up', () =>
    [...fleet.members].every((each) => fleet.isReady(each)) ? true : undefined,
  );
});

afterAll(async () => {
  fleet?.end();
  await receiver?.close();
  await service?.stop();
});

test('a caller to our number is greeted and served to the end', async () => {
  const each = { ...phoneCase(1), name: 'none', number: '+12025569001' };
  const caller: PhoneCase = {
    ...each,
    clauses: each.clauses.map((clause) => ({
      ...clause,
      text: clause.text.replace('list c01.', 'list none.'),
    })),
  };
  const losses = await judged(
    caller,
    () => undefined,
    async () => {
      const { steps } = personaOf(caller);
      await service.carrier.callIn({
        from: caller.number,
        to: ownNumber,
        persona: { name: 'caller', steps: steps.filter((step) => step.do !== 'ring') },
      });
    },
  );
  expect(losses).toBe(0);
});

test.each<[Role, Moment]>([
  ['media', 'mid-clause'],
  ['worker', 'between turns'],
  ['api', 'tool'],
])('a call survives the death of its %s (%s)', async (role, moment) => {
  const each = phoneCase({ media: 11, worker: 21, api: 31 }[role]);
  const kills: Promise<void>[] = [];
  const losses = await judged(
    each,
    (at, call) => {
      if (at !== moment || kills.length > 0) return;
      const victim = fleet
        .of(role)
        .find(({ port }) => role !== 'media' || port === call.streams.at(-1)?.port);
      if (victim !== undefined) kills.push(fleet.kill(victim, at));
    },
    () => trigger(service, each),
  );
  expect({ kills: kills.length, losses }).toEqual({ kills: 1, losses: role === 'media' ? 1 : 0 });
  await Promise.all(kills);
  await eventually('all roles are up again', () =>
    [...fleet.members].every((member) => fleet.isReady(member)) ? true : undefined,
  );
});

/** Makes one call and checks it. Answers how often it lost its media host. */
async function judged(
  each: PhoneCase,
  onMoment: (moment: Moment, call: SeenCall) => void,
  begin: () => Promise<unknown>,
): Promise<number> {
  const watch: PhoneWatch = await watchPhones(service.carrier, { deskNumber, onMoment });
  onOrder = () => watch.note('tool', each.number);
  const isDone = () =>
    resultsAt(receiver).some(({ result }) => result.case === each.name) &&
    watch.calls.get(each.number)?.endedAt != null;
  try {
    await begin();
    await eventually(`the result of ${each.name}`, () => (isDone() ? true : undefined));
  } finally {
    await watch.stop();
  }
  const call = watch.calls.get(each.number);
  if (call === undefined) throw new Error('no phone was rung');
  const { violations, transcript, silences, losses } = verdictOf(each, call, watch.entries, fleet.killed);
  for (const { ms } of silences)
    process.stderr.write(`${each.name}: silent for ${ms} ms after its media host was killed\n`);
  expect({ transcript, violations }).toEqual({ transcript, violations: [] });
  expect(watch.rung.get(each.number)).toBe(1);
  expect(resultsAt(receiver).filter(({ result }) => result.case === each.name)).toMatchObject([
    { isSigned: true, result: { case: each.name, call_disposition: each.disposition } },
  ]);
  expect(ordersAt(receiver).filter((name) => name === each.name)).toHaveLength(1);
  return losses;
}
