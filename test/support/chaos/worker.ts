/**
 * The worker process with programmed deaths: it kills itself with SIGKILL at the first of its points,
 * `<moment> <activity>` each, that it reaches (death.ts). `before` = the activity was accepted and nothing is
 * done; `during` = it has begun; `answered` = the customer's server has carried out its request (POST), which
 * is not recorded yet; `after` = its work is done, but Temporal does not know it yet. The pump has points, too:
 * a first attempt is leased and not sent, or answered and not recorded; it is recorded and not handed over, or
 * handed over. Otherwise it runs like src/worker/main.ts.
 */
import { Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { configOfThisProcess } from '../../../src/config/read-env.ts';
import { createGuardedClient, type GuardedClient } from '../../../src/providers/http/guarded-client.ts';
import { createSecretBox } from '../../../src/providers/secrets/aes-gcm.ts';
import { createLogger } from '../../../src/runtime/logger.ts';
import { noMetrics } from '../../../src/runtime/metrics.ts';
import { createTemporalClient, type TemporalClient } from '../../../src/temporal/connection.ts';
import { loadWorkflowBundle } from '../../../src/worker/bundle.ts';
import { composeActivities, connectMysqlWhenThere, startPump } from '../../../src/worker/compose.ts';
import { runWorkers } from '../../../src/worker/run-workers.ts';
import { installTemporalRuntime } from '../../../src/worker/runtime.ts';
import { death } from './death.ts';

const dies = death();

function deadly(activity: string): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      dies.at(`before ${activity}`);
      dies.soonAfter(`during ${activity}`);
      const result = await next(input);
      dies.at(`after ${activity}`);
      return result;
    },
  };
}

function deadlyHttp(real: GuardedClient): GuardedClient {
  return {
    ...real,
    request: async (request) => {
      const outcome = await real.request(request);
      if (request.method === 'POST') dies.at(`answered ${Context.current().info.activityType}`);
      return outcome;
    },
  };
}

function deadlyFirstAttempts(real: GuardedClient): GuardedClient {
  return {
    ...real,
    request: async (request) => {
      dies.at('before firstAttempt');
      const outcome = await real.request(request);
      dies.at('answered firstAttempt');
      return outcome;
    },
  };
}

function deadlyHandOver(real: TemporalClient): TemporalClient {
  return {
    ...real,
    request: async (work) => {
      dies.at('before handOver');
      const result = await real.request(work);
      dies.at('after handOver');
      return result;
    },
  };
}

const config = configOfThisProcess();
const log = createLogger({ level: config.logLevel, role: 'chaos-worker' });
installTemporalRuntime(log);
const { signal } = new AbortController();
const { buildId, workflowBundle: prebuilt } = config.temporal;
const db = await connectMysqlWhenThere({ url: config.databaseUrl, log, signal });
const http = createGuardedClient(config.customerUrls);
const temporal = createTemporalClient(config.temporal);
const parts = { config, log, metrics: noMetrics, db, secrets: createSecretBox(config.encryptionKeys) };
const pump = startPump({
  ...parts,
  http: deadlyFirstAttempts(http),
  temporal: deadlyHandOver(temporal),
});
const workers = runWorkers({
  temporal: config.temporal,
  namespace: config.temporal.namespace,
  workflowBundle: await loadWorkflowBundle(log, { prebuilt }),
  version: buildId === undefined ? undefined : { deploymentName: 'parlance', buildId },
  activities: composeActivities({
    ...parts,
    http: deadlyHttp(http),
    temporal,
    pump,
  }),
  interceptors: { activity: [(context) => ({ inbound: deadly(context.info.activityType) })] },
  log,
  signal,
});
await workers.ended;
