import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { deliveries, type DeliveryRow } from '../../../../src/db/tables/deliveries.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { resendDeliveries, selectDeliveries } from '../../../../src/services/webhooks/index.ts';
import type { DeliveryStarter } from '../../../../src/temporal/delivery-port.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  type TestDatabase,
} from '../../../support/database.ts';
import { insertDelivery, insertEndedCall } from '../../../support/delivery-rows.ts';

const filter = { state: 'dead_letter' as const };

describe.each(databases)('a resend of many deliveries on %s', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let call: { callId: number; agentId: number };
  let drains: Parameters<DeliveryStarter['drain']>[0][];

  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    ctx = await createTestContext(database.db);
    call = await insertEndedCall(ctx);
    drains = [];
  });

  const insertFailed = () => insertDelivery(ctx, call, filter);
  const resend = () =>
    resendDeliveries({
      ctx,
      starter: {
        resend: () => Promise.resolve(),
        drain: (input) => Promise.resolve(void drains.push(input)),
      },
      input: { filter },
    });
  const select = async (throughId: number, afterId = 0) =>
    (
      await selectDeliveries({
        db: database.db,
        selection: { organizationId: ctx.organizationId, filter, throughId },
        afterId,
      })
    ).map(({ id }) => id);

  /** Inserts `count` failed deliveries of the call in few statements. */
  async function insertManyFailed(count: number): Promise<void> {
    const { id: _id, ...first } = await insertFailed();
    const others = Array.from({ length: count - 1 }, (): Omit<DeliveryRow, 'id'> => {
      const uuid = ctx.ids.uuid();
      return { ...first, uuid, nodeId: uuid };
    });
    for (let from = 0; from < others.length; from += 2000)
      await database.db.getRepository(deliveries).insert(others.slice(from, from + 2000));
  }

  test('never counts or sends a delivery of another organization', async () => {
    const own = await insertFailed();
    const stranger = await createTestContext(database.db);
    const foreign = await insertDelivery(stranger, await insertEndedCall(stranger), filter);
    expect(await resend()).toEqual({ queued: 1 });
    expect(drains).toMatchObject([{ selection: { throughId: own.id } }]);
    expect(await select(foreign.id)).toEqual([own.id]);
  });

  test('selects the deliveries after the last page, up to the newest one at its start', async () => {
    const [first, second, third] = [await insertFailed(), await insertFailed(), await insertFailed()];
    await resend();
    expect(drains).toMatchObject([{ selection: { throughId: third.id } }]);
    const later = await insertFailed();
    expect(await select(third.id)).toEqual([first.id, second.id, third.id]);
    expect(await select(third.id, first.id)).toEqual([second.id, third.id]);
    expect(await select(later.id, third.id)).toEqual([later.id]);
  });

  test('leaves out deliveries whose body was erased', async () => {
    const kept = await insertFailed();
    const erased = await insertDelivery(ctx, call, { ...filter, body: null, erasedAt: ctx.clock.now() });
    expect(await resend()).toEqual({ queued: 1 });
    expect(drains).toMatchObject([{ selection: { throughId: kept.id } }]);
    expect(await select(erased.id)).toEqual([kept.id]);
  });

  test('takes 10,000 deliveries and refuses one more', async () => {
    await insertManyFailed(10_000);
    expect(await resend()).toEqual({ queued: 10_000 });
    await insertFailed();
    drains = [];
    await expect(resend()).rejects.toMatchObject({
      code: 'precondition',
      status: 400,
      message: '10001 deliveries are more than 10000; narrow the filter',
    });
    expect(drains).toEqual([]);
  });
});
