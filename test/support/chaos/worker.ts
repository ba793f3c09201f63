/**
 * The worker process with a death in it: it kills itself with SIGKILL at one point, given as `<moment> <activity>` in
 * CHAOS_POINT. `before` = the activity has been taken and nothing is done; `during` = it has begun; `after` = its work is
 * done and Temporal does not know it yet. CHAOS_BUNDLE = file of a bundle of Workflows, instead of its own. Everything else is
 * what src/worker/main.ts runs.
 */
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { configOfThisProcess } from '../../../src/config/read-env.ts';
import { createGuardedClient } from '../../../src/providers/http/guarded-client.ts';
import { createSecretBox } from '../../../src/providers/secrets/aes-gcm.ts';
import { createLogger } from '../../../src/runtime/logger.ts';
import { noMetrics } from '../../../src/runtime/metrics.ts';
import { createTemporalClient } from '../../../src/temporal/connection.ts';
import { loadWorkflowBundle } from '../../../src/worker/bundle.ts';
import { composeActivities, connectMysqlWhenThere } from '../../../src/worker/compose.ts';
import { runWorkers } from '../../../src/worker/run-workers.ts';
import { installTemporalRuntime } from '../../../src/worker/runtime.ts';
import { death } from './death.ts';

const { moment, place: activity, die, dieMeanwhile } = death();

function deadly(activityType: string): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      if (activityType !== activity) return await next(input);
      if (moment === 'before') die();
      if (moment === 'during') dieMeanwhile();
      const result = await next(input);
      if (moment === 'after') die();
      return result;
    },
  };
}

const config = configOfThisProcess();
const log = createLogger({ level: config.logLevel, role: 'chaos-worker' });
installTemporalRuntime(log);
const { signal } = new AbortController();
const codePath = process.env['CHAOS_BUNDLE'];
const { buildId } = config.temporal;
const db = await connectMysqlWhenThere({ url: config.databaseUrl, log, signal });
const workers = runWorkers({
  temporal: config.temporal,
  namespace: config.temporal.namespace,
  workflowBundle: codePath === undefined ? await loadWorkflowBundle(log) : { codePath },
  version: buildId === undefined ? undefined : { deploymentName: 'parlance', buildId },
  activities: composeActivities({ config, log, metrics: noMetrics, db, secrets: createSecretBox(config.encryptionKeys), http: createGuardedClient(config.customerUrls), temporal: createTemporalClient(config.temporal) }),
  interceptors: { activity: [(context) => ({ inbound: deadly(context.info.activityType) })] },
  log,
  signal,
});
await workers.ended;
