/**
 * The worker process with a death in it: it kills itself with SIGKILL at one point, given as `<moment> <activity>` in
 * CHAOS_POINT. `before` = the activity has been taken and nothing is done; `during` = it has begun; `after` = its work is
 * done and Temporal does not know it yet. Everything else is what src/worker/main.ts runs.
 */
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { configOfThisProcess } from '../../src/config/read-env.ts';
import { createGuardedClient } from '../../src/providers/http/guarded-client.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import { noMetrics } from '../../src/runtime/metrics.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { loadWorkflowBundle } from '../../src/worker/bundle.ts';
import { createSecretBox } from '../../src/providers/secrets/aes-gcm.ts';
import { composeActivities, connectMysqlWhenThere } from '../../src/worker/compose.ts';
import { runWorkers } from '../../src/worker/run-workers.ts';
import { installTemporalRuntime } from '../../src/worker/runtime.ts';

const duringMs = 15;
const [moment, activity] = (process.env['CHAOS_POINT'] ?? '').split(' ');

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('killed');
}

function deadly(activityType: string): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      if (activityType !== activity) return await next(input);
      if (moment === 'before') die();
      if (moment === 'during') setTimeout(die, duringMs);
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
const db = await connectMysqlWhenThere({ url: config.databaseUrl, log, signal });
const workers = runWorkers({
  temporal: config.temporal,
  namespace: config.temporal.namespace,
  workflowBundle: await loadWorkflowBundle(log),
  activities: composeActivities({ config, log, metrics: noMetrics, db, secrets: createSecretBox(config.encryptionKeys), http: createGuardedClient(config.customerUrls), temporal: createTemporalClient(config.temporal) }),
  interceptors: { activity: [(context) => ({ inbound: deadly(context.info.activityType) })] },
  log,
  signal,
});
await workers.ended;
