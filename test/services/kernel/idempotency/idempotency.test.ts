import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { agents } from '../../../../src/db/tables/agents.ts';
import { idempotencyKeys } from '../../../../src/db/tables/idempotency-keys.ts';
import { organizations } from '../../../../src/db/tables/organizations.ts';
import { write } from '../../../../src/services/kernel/write.ts';
import { ConflictError } from '../../../../src/domain/errors.ts';
import { randomIds } from '../../../../src/runtime/ids.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import {
  claimIdempotencyKey,
  completeIdempotencyKey,
  forgetExpiredKeys,
  once,
  releaseIdempotencyKey,
} from '../../../../src/services/kernel/index.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  bothDatabases,
  type TestClock,
  type TestDatabase,
} from '../../../support/database.ts';

const [hash, otherHash] = ['a'.repeat(64), 'b'.repeat(64)];

describe.each(bothDatabases)('an idempotency key on %s', (kind) => {
  let database: TestDatabase;
  let clock: TestClock;
  let caller: ServiceContext;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    clock = createTestClock();
    caller = await createTestContext(database.db, { clock });
  });
  afterAll(async () => await database.drop());

  /** The context of another request by the same caller. */
  const request = (): ServiceContext => ({ ...caller });
  const claim = (ctx: ServiceContext, key: string, requestHash = hash) =>
    claimIdempotencyKey({ ctx, input: { key, requestHash } });
  const complete = (ctx: ServiceContext, key: string, body = '{"id":1}') =>
    completeIdempotencyKey({ ctx, input: { key, responseStatus: 200, responseBody: body } });

  /** A stand-in for an operation that creates a record. */
  const make = (ctx: ServiceContext) =>
    write(ctx, (tx) =>
      once(tx, {
        kind: 'organization',
        make: async () => {
          const { identifiers } = await tx
            .getRepository(organizations)
            .insert({ uuid: randomIds.uuid(), name: 'Made', createdAt: clock.now() });
          const id = Number(identifiers[0]?.['id']);
          return { id, answer: id };
        },
        again: (id) => Promise.resolve(id),
      }),
    );

  // guarantee: one-request-per-idempotency-key
  test('lets one of many concurrent requests run, and answers `running` to the others', async () => {
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(request(), 'many')));
    expect(claims.filter((each) => each.kind === 'claimed')).toHaveLength(1);
    expect(claims.filter((each) => each.kind === 'running')).toHaveLength(5);
  });

  test('repeats the answer of the finished request for 7 days, then accepts a new request', async () => {
    const first = request();
    await claim(first, 'week');
    await complete(first, 'week', '{"text":"😀"}');
    clock.advance(7 * 24 * 3_600_000 - 1);
    expect(await claim(request(), 'week')).toEqual({
      kind: 'completed',
      responseStatus: 200,
      responseBody: '{"text":"😀"}',
    });
    clock.advance(1);
    expect(await claim(request(), 'week', otherHash)).toEqual({ kind: 'claimed' });
  });

  test('refuses a different request, whether the first one has finished or not', async () => {
    const first = request();
    await claim(first, 'other');
    expect(await claim(request(), 'other', otherHash)).toEqual({ kind: 'other_request' });
    await complete(first, 'other');
    expect(await claim(request(), 'other', otherHash)).toEqual({ kind: 'other_request' });
  });

  test('belongs to one organization', async () => {
    const first = request();
    await claim(first, 'shared');
    await complete(first, 'shared');
    const stranger = await createTestContext(database.db, { clock });
    expect(await claim(stranger, 'shared', otherHash)).toEqual({ kind: 'claimed' });
  });

  test('is case-sensitive', async () => {
    await claim(request(), 'case');
    expect(await claim(request(), 'CASE', otherHash)).toEqual({ kind: 'claimed' });
  });

  test('is released by a request that failed before it created a record', async () => {
    const first = request();
    await claim(first, 'back');
    await releaseIdempotencyKey({ ctx: first, input: { key: 'back' } });
    expect(await claim(request(), 'back', otherHash)).toEqual({ kind: 'claimed' });
  });

  // guarantee: interrupted-request-continues
  test('lets a repeated request continue a dead one after 30 s, with the same record', async () => {
    const first = request();
    await claim(first, 'died');
    const made = await make(first);
    clock.advance(29_999);
    expect(await claim(request(), 'died')).toEqual({ kind: 'running' });
    clock.advance(1);
    const second = request();
    expect(await claim(second, 'died')).toEqual({ kind: 'claimed' });
    expect(await make(second)).toBe(made);
  });

  test('lets a repeated request continue at once if the first one failed after it created its record', async () => {
    const first = request();
    await claim(first, 'failed');
    const made = await make(first);
    await releaseIdempotencyKey({ ctx: first, input: { key: 'failed' } });
    const second = request();
    expect(await claim(second, 'failed')).toEqual({ kind: 'claimed' });
    expect(await make(second)).toBe(made);
  });

  test('keeps a request that lost its claim from creating a record or storing an answer', async () => {
    const slow = request();
    await claim(slow, 'slow');
    clock.advance(30_000);
    const next = request();
    await claim(next, 'slow');
    const before = await database.db.getRepository(organizations).count();
    await expect(make(slow)).rejects.toBeInstanceOf(ConflictError);
    expect(await database.db.getRepository(organizations).count()).toBe(before);
    await complete(slow, 'slow', '"of the slow one"');
    await releaseIdempotencyKey({ ctx: slow, input: { key: 'slow' } });
    expect(await claim(request(), 'slow')).toEqual({ kind: 'running' });
    await complete(next, 'slow', '"of the next one"');
    expect(await claim(request(), 'slow')).toMatchObject({
      kind: 'completed',
      responseBody: '"of the next one"',
    });
  });

  test('requests without a key create a record each time', async () => {
    const ctx = request();
    expect(await make(ctx)).not.toBe(await make(ctx));
    expect(await database.db.getRepository(agents).countBy({ organizationId: ctx.organizationId })).toBe(0);
  });

  test('is deleted once it has expired, and not earlier', async () => {
    await claim(request(), 'to be deleted soon'.replaceAll(' ', '-'));
    clock.advance(7 * 24 * 3_600_000);
    // One claim in fifty deletes expired keys itself; not this one.
    await claim({ ...request(), ids: { ...randomIds, integer: () => 1 } }, 'stays');
    expect(await forgetExpiredKeys({ db: database.db, clock })).toBeGreaterThan(0);
    expect(await database.db.getRepository(idempotencyKeys).find()).toMatchObject([{ key: 'stays' }]);
  });
});
