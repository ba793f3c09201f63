import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { calls } from '../../../../src/db/tables/calls.ts';
import { phoneLegs } from '../../../../src/db/tables/phone-legs.ts';
import { CarrierError } from '../../../../src/domain/telephony/carrier-error.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { claimSeat } from '../../../../src/services/media/index.ts';
import { dialCall, type DialCallInput, type PhoneDeps } from '../../../../src/services/telephony/index.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  databases,
  type TestClock,
  type TestDatabase,
} from '../../../support/database.ts';
import { createFakeCarrierPort, type FakeCarrierPort } from '../../../support/fake-carrier.ts';
import { createFakeCustomerHttp } from '../../../support/fake-customer-http.ts';
import { insertOpenHost } from '../../../support/media/open-host.ts';
import { insertPhoneCall } from '../../../support/media/phone-call.ts';
import { insertConnection } from '../../../support/telephony.ts';

describe.each(databases)('a dial with an unknown outcome on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let clock: TestClock;
  let carrier: FakeCarrierPort;
  let deps: PhoneDeps;
  let input: DialCallInput;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
  }, 60_000);
  afterAll(() => database.drop());
  beforeEach(async () => {
    clock = createTestClock();
    ctx = await createTestContext(database.db, { clock });
    carrier = createFakeCarrierPort();
    deps = {
      ...ctx,
      accounts: () => carrier,
      http: createFakeCustomerHttp(),
      publicUrl: 'https://parlance.test/',
      checkBeforeDial: () => Promise.resolve(null),
    };
    const { hostId } = await insertOpenHost(database.db);
    const { configurationId } = await insertConnection(database.db, ctx.organizationId);
    const { callId, callUuid, organizationId } = await insertPhoneCall(ctx, {
      initialContext: { called_number: '+14155550001' },
    });
    await claimSeat({ deps: ctx, input: { callId, organizationId, generation: 1 }, hostId });
    input = {
      callId,
      callUuid,
      organizationId,
      configurationId,
      attempt: 1,
      generation: 1,
      phoneNumberId: null,
      maxDurationMs: 60_000,
      ringingMs: 30_000,
      limitBehindMs: 60_000,
      detectsMachines: false,
    };
    carrier.answers.dial = () =>
      Promise.reject(new CarrierError('no answer', { outcome: 'unknown', reason: 'timeout' }));
    await dialCall({ deps, input });
    delete carrier.answers.dial;
  });

  const sentAgain = () => carrier.requests('dial').slice(1);

  test('is sent again under the same command id within 40 s if its attempt never reported back', async () => {
    clock.advance(39_999);
    expect(await dialCall({ deps, input: { ...input, isUnheard: true } })).toMatchObject({ kind: 'dialed' });
    const [first] = carrier.requests('dial');
    expect(sentAgain()).toEqual([first]);
  });

  test.each<[string, { isUnheard?: boolean; afterMs?: number; change?: () => Promise<unknown> }]>([
    ['for an attempt that reported back', { isUnheard: false }],
    ['40 s after the first request', { afterMs: 40_000 }],
    [
      'when an event has named the leg',
      {
        change: () =>
          ctx.db.getRepository(phoneLegs).update({ callId: input.callId }, { callControlId: 'v3:known' }),
      },
    ],
  ])('is not sent again %s', async (_title, { isUnheard = true, afterMs = 1000, change }) => {
    clock.advance(afterMs);
    await change?.();
    expect(await dialCall({ deps, input: { ...input, isUnheard } })).toEqual({ kind: 'unknown' });
    expect(sentAgain()).toEqual([]);
    expect(await ctx.db.getRepository(calls).findOneByOrFail({ id: input.callId })).toMatchObject({
      gatheredContext: {},
    });
  });
});
