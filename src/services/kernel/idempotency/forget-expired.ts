import { In, LessThanOrEqual, type DataSource } from 'typeorm';
import { acrossOrganizations, deleteRows, findRows } from '../../../db/rows.ts';
import { idempotencyKeys } from '../../../db/tables/idempotency-keys.ts';
import type { Clock } from '../../../runtime/clock.ts';

const maxAtOnce = 200;

/** Deletes expired keys of all organizations, oldest first, and answers how many. */
export async function forgetExpiredKeys({ db, clock }: { db: DataSource; clock: Clock }): Promise<number> {
  const everywhere = acrossOrganizations(db, 'keys of every organization expire');
  const expired = await findRows(
    everywhere,
    idempotencyKeys,
    { expiresAt: LessThanOrEqual(clock.now()) },
    { select: ['id'], order: { expiresAt: 'ASC' }, take: maxAtOnce },
  );
  if (expired.length === 0) return 0;
  return await deleteRows(everywhere, idempotencyKeys, { id: In(expired.map(({ id }) => id)) });
}
