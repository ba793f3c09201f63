/**
 * `npm run erase:person`: erases everything stored about a person (docs/runbooks/erase-person.md). Prints a
 * JSON report to standard output.
 */
import { configOfThisProcess } from '../../../config/read-env.ts';
import { openVariable, readVariable, storageVariable } from '../../../config/variable.ts';
import { createDataSource } from '../../../db/data-source.ts';
import { findRow } from '../../../db/rows.ts';
import { organizations } from '../../../db/tables/organizations.ts';
import { AppError, NotFoundError } from '../../../domain/errors.ts';
import { isUuid } from '../../../domain/uuid.ts';
import { createCarrierRegistry } from '../../../providers/carrier/registry.ts';
import { createContactFiles } from '../../../providers/contact-files/contact-files.ts';
import { createSecretBox } from '../../../providers/secrets/aes-gcm.ts';
import { createFingerprint } from '../../../providers/secrets/fingerprint.ts';
import { openFiles } from '../../../providers/storage/installed.ts';
import { systemClock } from '../../../runtime/clock.ts';
import { randomIds } from '../../../runtime/ids.ts';
import { createLogger } from '../../../runtime/logger.ts';
import { createTemporalClient } from '../../../temporal/connection.ts';
import { createHistories } from '../../../temporal/histories.ts';
import { runErasure, usage, readEraseArguments } from './command.ts';

const asked = readEraseArguments(process.argv.slice(2));
if ('fault' in asked) {
  process.stderr.write(`${asked.fault}\n\n${usage}\n`);
  process.exit(2);
}
const config = configOfThisProcess();
const log = createLogger({ level: config.logLevel, role: 'erase-person', destination: process.stderr });
const temporal = createTemporalClient(config.temporal);
const db = await createDataSource({ url: config.databaseUrl, poolSize: 2, silenceMs: null });
try {
  const organization = await findRow(
    db,
    organizations,
    isUuid(asked.organization) ? { uuid: asked.organization } : { id: Number(asked.organization) || 0 },
  );
  if (organization === null) throw new NotFoundError('The organization does not exist');
  const secrets = readVariable('PARLANCE_ENCRYPTION_KEYS', () => createSecretBox(config.encryptionKeys));
  const accounts = createCarrierRegistry().accounts(config.carrierUrls);
  const files = await openVariable(storageVariable(config), () =>
    openFiles({ settings: config.storage, clock: systemClock, log }),
  );
  const ctx = {
    organizationId: organization.id,
    actor: { kind: 'system', name: 'operator' },
    db,
    clock: systemClock,
    ids: randomIds,
    log,
    secrets,
  } as const;
  const report = await runErasure({
    ctx,
    deps: {
      histories: createHistories({ temporal }),
      prices: config.llm.prices,
      accounts,
      files,
      uploaded: files === undefined ? undefined : { files, contactFiles: createContactFiles() },
    },
    fingerprint: createFingerprint(config.encryptionKeys),
    organizationUuid: organization.uuid,
    asked,
  });
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
} catch (error) {
  log.fatal({ err: error }, error instanceof AppError ? error.message : 'The erasure failed');
  process.exitCode = 1;
} finally {
  await temporal.close();
  await db.destroy();
}
