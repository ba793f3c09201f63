import { configWithoutKeys } from '../config/read-env.ts';
import { readTemporalPlan } from '../config/temporal-plan.ts';
import { createLogger } from '../runtime/logger.ts';
import { applySchedules } from './apply-schedules.ts';
import { applyTemporalPlan } from './apply.ts';
import { createTemporalClient } from './connection.ts';

/** `npm run temporal:apply`: applies temporal.yaml to the namespace and reports the changes. */
const config = configWithoutKeys();
const log = createLogger({ level: config.logLevel, role: 'temporal-apply' });
const temporal = createTemporalClient(config.temporal);
try {
  const plan = readTemporalPlan();
  const changes = [
    ...(await applyTemporalPlan({ temporal, plan })),
    ...(await applySchedules({ temporal, plan })),
  ];
  log.info(
    { namespace: temporal.namespace, changes },
    changes.length === 0
      ? 'The Temporal declaration is already applied'
      : 'The Temporal declaration was applied',
  );
} catch (error) {
  log.fatal({ err: error, namespace: temporal.namespace }, 'The Temporal declaration could not be applied');
  process.exitCode = 1;
} finally {
  await temporal.close();
}
