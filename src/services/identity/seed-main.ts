/**
 * Creates an organization with its first user and API key, once per email: by default the demo one. With
 * sign-up closed this is how an operator makes an account (docs/security.md). The last line on standard
 * output is JSON: with the API key if this run created it, else with null.
 */
import { parseArgs } from 'node:util';
import { configOfThisProcess } from '../../config/read-env.ts';
import { createSecretBox } from '../../providers/secrets/aes-gcm.ts';
import { systemClock } from '../../runtime/clock.ts';
import { randomIds } from '../../runtime/ids.ts';
import { createLogger } from '../../runtime/logger.ts';
import { demoEmail } from './demo-user.ts';
import { createOrganization } from './organizations/create.ts';
import { createDataSource } from '../../db/data-source.ts';
import { acrossOrganizations, findRow } from '../../db/rows.ts';
import { users } from '../../db/tables/users.ts';
import { chosenOrganization } from './users/memberships.ts';

const {
  values: { name, email },
} = parseArgs({
  options: {
    name: { type: 'string', default: 'Demo' },
    email: { type: 'string', default: demoEmail },
  },
});
if (name.trim() === '' || !/^[^\s@]+@[^\s@]+$/.test(email)) {
  process.stderr.write('seed-main.ts [--name <organization> --email <address of its first user>]\n');
  process.exit(2);
}

const config = configOfThisProcess();
const log = createLogger({ level: config.logLevel, role: 'seed', destination: process.stderr });
const db = await createDataSource({ url: config.databaseUrl, poolSize: 2 });
try {
  const known = await findRow(
    acrossOrganizations(db, 'the email is unique across the whole service'),
    users,
    { email },
  );
  if (known === null) {
    const ctx = {
      actor: { kind: 'system', name: 'seed' },
      db,
      clock: systemClock,
      ids: randomIds,
      log,
    } as const;
    const input = { name, email, keyName: 'Development key' };
    const { organizationId, key } = await createOrganization({
      ctx,
      secrets: createSecretBox(config.encryptionKeys),
      input,
    });
    process.stdout.write(`${JSON.stringify({ organizationId, apiKey: key.key })}\n`);
  } else {
    process.stdout.write(
      `${JSON.stringify({ organizationId: await chosenOrganization(db.manager, known.id), apiKey: null })}\n`,
    );
  }
} finally {
  await db.destroy();
}
