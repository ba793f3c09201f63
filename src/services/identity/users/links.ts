import { MoreThan, type EntityManager } from 'typeorm';
import { acrossOrganizations, deleteRows, findRow, upsertRows, type Db } from '../../../db/rows.ts';
import { signInLinks, type SignInLinkKind, type SignInLinkRow } from '../../../db/tables/sign-in-links.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { hashKey } from '../api-keys/hash.ts';

/** Makes the link of a user, in place of their former one of any kind. */
export async function createLink(
  db: Db,
  { clock, ids }: Pick<ServiceContext, 'clock' | 'ids'>,
  { lifetimeMs, ...link }: Pick<SignInLinkRow, 'userId' | 'organizationId' | 'kind'> & { lifetimeMs: number },
): Promise<{ token: string; expiresAt: Date }> {
  const token = ids.secret(32);
  const expiresAt = new Date(clock.now().getTime() + lifetimeMs);
  await upsertRows(db, signInLinks, [{ ...link, tokenHash: hashKey(token), expiresAt }]);
  return { token, expiresAt };
}

/** The link of a token, which works at this time; null if there is none. */
export async function findLink(
  db: Db,
  { kind, token, now }: { kind: SignInLinkKind; token: string; now: Date },
): Promise<SignInLinkRow | null> {
  return await findRow(
    acrossOrganizations(db, 'the token is unique across the whole service'),
    signInLinks,
    // guarantee: password-link-expires
    { kind, tokenHash: hashKey(token), expiresAt: MoreThan(now) },
  );
}

/** Uses the link up. False if another request was first. */
export async function takeLink(
  tx: EntityManager,
  { userId, organizationId, tokenHash }: SignInLinkRow,
): Promise<boolean> {
  // guarantee: sign-in-link-works-once
  return (await deleteRows(tx, signInLinks, { userId, organizationId, tokenHash })) === 1;
}

/** Voids the link of a user. */
export async function discardLink(tx: EntityManager, userId: number): Promise<void> {
  await deleteRows(acrossOrganizations(tx, 'a user has one link, whatever its organization'), signInLinks, {
    userId,
  });
}
