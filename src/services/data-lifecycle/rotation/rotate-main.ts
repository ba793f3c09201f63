/**
 * `npm run secrets:rotate`: seals everything under the first key of PARLANCE_ENCRYPTION_KEYS, after a new one
 * was added.
 */
import { configOfThisProcess } from '../../../config/read-env.ts';
import { readVariable } from '../../../config/variable.ts';
import { createDataSource } from '../../../db/data-source.ts';
import { createSecretBox } from '../../../providers/secrets/aes-gcm.ts';
import { createTickets } from '../../../providers/secrets/tickets.ts';
import { createLogger } from '../../../runtime/logger.ts';
import { rotateSecrets } from './rotate.ts';

const config = configOfThisProcess();
const secrets = readVariable('PARLANCE_ENCRYPTION_KEYS', () => createSecretBox(config.encryptionKeys));
const log = createLogger({ level: config.logLevel, role: 'secrets-rotate' });
const db = await createDataSource({ url: config.databaseUrl, poolSize: 2 });
try {
  const changed = await rotateSecrets({ db, secrets, answers: createTickets(secrets) });
  log.info({ changed }, 'Secrets are sealed under the current key');
} finally {
  await db.destroy();
}
