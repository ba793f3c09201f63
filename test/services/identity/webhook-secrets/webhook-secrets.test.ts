import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { webhookSecrets } from '../../../../src/db/tables/webhook-secrets.ts';
import { NotFoundError } from '../../../../src/domain/errors.ts';
import { randomIds } from '../../../../src/runtime/ids.ts';
import { claimIdempotencyKey } from '../../../../src/services/kernel/index.ts';
import {
  addWebhookSecret,
  listWebhookSecrets,
  liveWebhookSecrets,
  retireWebhookSecret,
} from '../../../../src/services/identity/index.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  testSecrets as secrets,
  type TestDatabase,
} from '../../../support/database.ts';

describe.each(databases)('webhook secrets on %s', (kind) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  afterAll(async () => await database.drop());

  const add = (ctx: ServiceContext) => addWebhookSecret({ ctx, secrets });
  const live = ({ organizationId }: ServiceContext) =>
    liveWebhookSecrets({ db: database.db, secrets, organizationId });

  test('are 32 random bytes in the format of Standard Webhooks libraries, and sealed in the table', async () => {
    const ctx = await createTestContext(database.db);
    const { secret } = await add(ctx);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await live(ctx)).toEqual([secret]);
    const [row] = await database.db
      .getRepository(webhookSecrets)
      .findBy({ organizationId: ctx.organizationId });
    expect(row?.secretEncrypted).toMatch(/^v1\.test\./);
  });

  test('both sign during a rotation, the older one first, until it is retired', async () => {
    const ctx = await createTestContext(database.db);
    const [older, newer] = [await add(ctx), await add(ctx)];
    expect(await live(ctx)).toEqual([older.secret, newer.secret]);
    expect(await listWebhookSecrets({ ctx, secrets })).toEqual([older, newer]);
    await expect(add(ctx)).rejects.toMatchObject({ code: 'precondition' });
    await retireWebhookSecret({ ctx, input: { uuid: older.id } });
    expect(await live(ctx)).toEqual([newer.secret]);
    await expect(retireWebhookSecret({ ctx, input: { uuid: newer.id } })).rejects.toMatchObject({
      code: 'precondition',
    });
    await expect(retireWebhookSecret({ ctx, input: { uuid: older.id } })).rejects.toBeInstanceOf(
      NotFoundError,
    );
  });

  test('are always one or two, even under concurrent changes', async () => {
    const ctx = await createTestContext(database.db);
    await Promise.allSettled([add(ctx), add(ctx), add(ctx), add(ctx)]);
    const both = await listWebhookSecrets({ ctx, secrets });
    expect(both).toHaveLength(2);
    await Promise.allSettled(both.map(({ id }) => retireWebhookSecret({ ctx, input: { uuid: id } })));
    expect(await live(ctx)).toHaveLength(1);
  });

  test('are answered again by their Idempotency-Key if the answer was lost, without a second one', async () => {
    const own = await createTestContext(database.db);
    const input = { key: 'secret-once', requestHash: 'a'.repeat(64) };
    const first: ServiceContext = { ...own, clock: { now: () => new Date(Date.now() - 60_000) } };
    await claimIdempotencyKey({ ctx: first, input });
    const made = await add(first);
    const second: ServiceContext = { ...own };
    await claimIdempotencyKey({ ctx: second, input });
    expect(await add(second)).toEqual(made);
    expect(await live(own)).toEqual([made.secret]);
  });

  test('of another organization can neither be read nor retired', async () => {
    const [ctx, stranger] = [await createTestContext(database.db), await createTestContext(database.db)];
    const [first] = [await add(ctx), await add(ctx), await add(stranger)];
    for (const uuid of [first.id, randomIds.uuid(), 'é', ''])
      await expect(retireWebhookSecret({ ctx: stranger, input: { uuid } })).rejects.toBeInstanceOf(
        NotFoundError,
      );
    expect(await live(stranger)).toHaveLength(1);
    expect(await live(ctx)).toHaveLength(2);
  });
});
