import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { calls } from '../../../../src/db/tables/calls.ts';
import { phoneLegs } from '../../../../src/db/tables/phone-legs.ts';
import { phoneNumbers } from '../../../../src/db/tables/phone-numbers.ts';
import { CarrierError } from '../../../../src/domain/telephony/carrier-error.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { claimSeat } from '../../../../src/services/media/index.ts';
import { dialCall, type DialCallInput, type PhoneDeps } from '../../../../src/services/telephony/index.ts';
import { insertCampaign } from '../../../support/campaign-world.ts';
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
  });
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
    expect(await dialCall({ deps, input: { ...input, hasLostAttempt: true } })).toMatchObject({
      kind: 'dialed',
    });
    const [first] = carrier.requests('dial');
    expect(sentAgain()).toEqual([first]);
  });

  test.each<[string, { hasLostAttempt?: boolean; afterMs?: number; change?: () => Promise<unknown> }]>([
    ['for an attempt that reported back', { hasLostAttempt: false }],
    ['40 s after the first request', { afterMs: 40_000 }],
    [
      'when an event has named the leg',
      {
        change: () =>
          ctx.db.getRepository(phoneLegs).update({ callId: input.callId }, { callControlId: 'v3:known' }),
      },
    ],
  ])('is not sent again %s', async (_title, { hasLostAttempt = true, afterMs = 1000, change }) => {
    clock.advance(afterMs);
    await change?.();
    expect(await dialCall({ deps, input: { ...input, hasLostAttempt } })).toEqual({ kind: 'unknown' });
    expect(sentAgain()).toEqual([]);
    expect(await recorded()).toMatchObject({ gatheredContext: {} });
  });

  const recorded = () => ctx.db.getRepository(calls).findOneByOrFail({ id: input.callId });
  const refusing = (options: ConstructorParameters<typeof CarrierError>[1]) => () => {
    carrier.answers.dial = () => Promise.reject(new CarrierError('refused', options));
    return Promise.resolve();
  };

  test.each<[string, () => Promise<unknown>]>([
    ['the carrier refuses it', refusing({ outcome: 'refused', reason: 'client_error', httpStatus: 422 })],
    ['the carrier has no free channel', refusing({ outcome: 'capacity', reason: 'rate_limit' })],
    ['the account cannot dial', refusing({ outcome: 'setup', reason: 'client_error' })],
    ['it cannot be sent', refusing({ outcome: 'unknown', reason: 'unreachable', neverSent: true })],
    [
      'its number was deleted',
      () => ctx.db.getRepository(phoneNumbers).delete({ configurationId: input.configurationId }),
    ],
  ])('stays unknown if its repeat fails because %s', async (_title, change) => {
    const { id: campaignId } = await insertCampaign(ctx, { contacts: 0 });
    await ctx.db.getRepository(calls).update({ id: input.callId }, { campaignId });
    await change();
    expect(await dialCall({ deps, input: { ...input, hasLostAttempt: true } })).toMatchObject({
      kind: 'unknown',
    });
    expect(await recorded()).toMatchObject({ gatheredContext: {} });
  });
});
