/**
 * Makes a link for the user of the demonstration organization (contract 13.2), for `npm start`. The last line
 * on standard output is JSON with its token.
 */
import { configWithoutKeys } from '../../config/read-env.ts';
import { createDataSource } from '../../db/data-source.ts';
import { acrossOrganizations, getRow } from '../../db/rows.ts';
import { users } from '../../db/tables/users.ts';
import { systemClock } from '../../runtime/clock.ts';
import { randomIds } from '../../runtime/ids.ts';
import { demoEmail } from './demo-user.ts';
import { chosenOrganization } from './users/memberships.ts';
import { createSignInToken } from './users/sign-in-link.ts';

const db = await createDataSource({ url: configWithoutKeys().databaseUrl, poolSize: 1 });
try {
  const user = await getRow(acrossOrganizations(db, 'the email is unique across the whole service'), users, {
    email: demoEmail,
  });
  const organizationId = await chosenOrganization(db.manager, user.id);
  const signInToken = await createSignInToken({
    db,
    clock: systemClock,
    ids: randomIds,
    user: { id: user.id, organizationId },
  });
  process.stdout.write(`${JSON.stringify({ signInToken })}\n`);
} finally {
  await db.destroy();
}
