import { LessThanOrEqual, type DataSource } from 'typeorm';
import { idempotencyKeys } from '../../../db/tables/idempotency-keys.ts';
import type { Clock } from '../../../runtime/clock.ts';

const maxAtOnce = 200;

/** Deletes keys of any organization whose time is over, the oldest first, and answers how many. */
export async function forgetExpiredKeys({ db, clock }: { db: DataSource; clock: Clock }): Promise<number> {
  const repository = db.getRepository(idempotencyKeys);
  const expired = await repository.find({
    select: { id: true },
    where: { expiresAt: LessThanOrEqual(clock.now()) },
    order: { expiresAt: 'ASC' },
    take: maxAtOnce,
  });
  if (expired.length === 0) return 0;
  const { affected } = await repository.delete(expired.map(({ id }) => id));
  return affected ?? 0;
}
