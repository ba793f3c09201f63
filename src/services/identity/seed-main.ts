/**
 * Creates the demo organization once. The last line on standard output is JSON: with the development API key
 * if this run created it, else with null.
 */
import { configOfThisProcess } from '../../config/read-env.ts';
import { createSecretBox } from '../../providers/secrets/aes-gcm.ts';
import { systemClock } from '../../runtime/clock.ts';
import { randomIds } from '../../runtime/ids.ts';
import { createLogger } from '../../runtime/logger.ts';
import { createOrganization } from './organizations/create.ts';
import { createDataSource } from '../../db/data-source.ts';
import { acrossOrganizations, findRow } from '../../db/rows.ts';
import { users } from '../../db/tables/users.ts';

const demoEmail = 'demo@parlance.example';

const config = configOfThisProcess();
const log = createLogger({ level: config.logLevel, role: 'seed', destination: process.stderr });
const db = await createDataSource({ url: config.databaseUrl, poolSize: 2 });
try {
  const known = await findRow(
    acrossOrganizations(db, 'the email is unique across the whole service'),
    users,
    { email: demoEmail },
  );
  if (known === null) {
    const ctx = {
      actor: { kind: 'system', name: 'seed' },
      db,
      clock: systemClock,
      ids: randomIds,
      log,
    } as const;
    const input = { name: 'Demo', email: demoEmail, keyName: 'Development key' };
    const { organizationId, key } = await createOrganization({
      ctx,
      secrets: createSecretBox(config.encryptionKeys),
      input,
    });
    process.stdout.write(`${JSON.stringify({ organizationId, apiKey: key.key })}\n`);
  } else {
    process.stdout.write(`${JSON.stringify({ organizationId: known.organizationId, apiKey: null })}\n`);
  }
} finally {
  await db.destroy();
}
