import type { DataSource } from 'typeorm';
import { configOfWorker } from '../config/read-env.ts';
import { openVariable, readVariable, storageVariable } from '../config/variable.ts';
import { readVersion } from '../config/version.ts';
import type { WorkerRole } from '../domain/declaration.ts';
import { createGuardedClient } from '../providers/http/guarded-client.ts';
import { createSecretBox } from '../providers/secrets/aes-gcm.ts';
import { parseKeyRing } from '../providers/secrets/key-ring.ts';
import { knownModels } from '../providers/llm/installed.ts';
import { createCarrierRegistry } from '../providers/carrier/registry.ts';
import { openFiles } from '../providers/storage/installed.ts';
import { systemClock } from '../runtime/clock.ts';
import { loggedChecks } from '../runtime/dependency-checks.ts';
import { startHealthServer } from '../runtime/health-server.ts';
import { createLogger } from '../runtime/logger.ts';
import { repeat } from '../runtime/repeat.ts';
import { createShutdown } from '../runtime/shutdown.ts';
import { startTracing } from '../runtime/start-tracing.ts';
import { noTracing, type Tracing } from '../runtime/tracing.ts';
import { redeliverEvents } from '../services/telephony/index.ts';
import { watchMediaHosts } from '../services/media/index.ts';
import { createCallStarter } from '../temporal/call-starter.ts';
import { createTemporalClient } from '../temporal/connection.ts';
import { encryptedPayloads } from '../temporal/payload-encryption.ts';
import { loadWorkflowBundle } from './bundle.ts';
import {
  composeActivities,
  composeCarriers,
  composeFileImport,
  connectMysqlWhenThere,
  startPump,
} from './compose.ts';
import { needsWorkflows, shutdownGraceMs } from './create-workers.ts';
import { lightenSandbox } from './light-sandbox.ts';
import { createWorkerMetrics, fetchTemporalMetrics } from './metrics.ts';
import { runWorkers, type RunningWorkers } from './run-workers.ts';
import { tracedActivities } from './tracing.ts';
import { freeLoopbackAddress, installTemporalRuntime } from './runtime.ts';

/** The worker process. Its parts start from top to bottom and stop in reverse. */
const config = configOfWorker();
let tracing: Tracing = noTracing;
const log = createLogger({ level: config.logLevel, role: 'worker', tracing: () => tracing });
const shutdown = createShutdown({ log, limitMs: shutdownGraceMs + 10_000 });
const version = readVersion();
tracing = await startTracing({ config: config.tracing, role: 'worker', version, log });
shutdown.onStop('traces', () => tracing.stop());

const { encryptionKeys } = config;
const secrets =
  encryptionKeys === undefined
    ? undefined
    : readVariable('PARLANCE_ENCRYPTION_KEYS', () => createSecretBox(encryptionKeys));
const { payloadKeys, buildId } = config.temporal;
const dataConverter =
  payloadKeys === undefined
    ? undefined
    : readVariable('PARLANCE_PAYLOAD_KEYS', () => encryptedPayloads(parseKeyRing(payloadKeys)));
const http = readVariable('PARLANCE_ALLOWED_PRIVATE_HOSTS', () => createGuardedClient(config.customerUrls));
shutdown.onStop('customer connections', () => http.close());

const files = await openVariable(storageVariable(config), () =>
  openFiles({ settings: config.storage, clock: systemClock, log }),
);

const metricsAddress = await freeLoopbackAddress();
installTemporalRuntime(log, { metricsAddress });
if (config.temporal.lightSandbox) lightenSandbox(log);

let db: DataSource | undefined;
let workers: RunningWorkers | undefined;
const temporal = createTemporalClient({ ...config.temporal, dataConverter });
shutdown.onStop('Temporal client', () => temporal.close());

const checks = loggedChecks(
  {
    mysql: async () => {
      if (db === undefined) throw new Error('not reached yet');
      await db.query('SELECT 1');
    },
    temporal: async () =>
      void (await temporal.request((client) =>
        client.workflowService.describeNamespace({ namespace: temporal.namespace }),
      )),
    workers: async () => {
      if (workers === undefined) throw new Error('not started yet');
      workers.check();
    },
  },
  log,
);
const { metrics, allow, scrape } = createWorkerMetrics({
  version,
  checks,
  clock: systemClock,
  db: () => db,
  temporalMetrics: () => fetchTemporalMetrics(metricsAddress),
});
const health = await startHealthServer({
  port: config.workerHealthPort,
  host: config.http.host,
  log,
  checks,
  scrape,
});
shutdown.onStop('health server', () => health.close());

try {
  const workflowBundle = needsWorkflows(config.workerRoles)
    ? await loadWorkflowBundle(log, {
        prebuilt: config.temporal.workflowBundle,
        failureConverterPath: dataConverter?.failureConverterPath,
        signal: shutdown.signalled,
      })
    : null;
  db = await connectMysqlWhenThere({ url: config.databaseUrl, log, signal: shutdown.signalled });
  const pool = db;
  shutdown.onStop('MySQL', () => pool.destroy());

  const calls = createCallStarter({ temporal });
  const watch = watchMediaHosts({
    db,
    log,
    tell: async ({ callUuid, generation }) => void (await calls.seatLost(callUuid, { generation })),
  });
  shutdown.onStop('detection of lost media hosts', () => watch.stop());

  const parts = { config, log, metrics, tracing, db, http, temporal, files };
  const pump =
    secrets !== undefined && config.workerRoles.includes('delivery')
      ? startPump({ ...parts, secrets })
      : undefined;
  if (pump !== undefined) shutdown.onStop('pump of webhooks', () => pump.stop());
  const all: Partial<Record<WorkerRole, object>> =
    secrets === undefined
      ? { import: composeFileImport({ db, log, metrics, files }) }
      : composeActivities({ ...parts, secrets, pump });
  const activities = Object.fromEntries(
    config.workerRoles.flatMap((role) => (all[role] === undefined ? [] : [[role, all[role]]])),
  );
  allow('model', knownModels(config.llm));
  allow(
    'activity',
    Object.values(activities).flatMap((each) => Object.keys(each)),
  );
  if (secrets !== undefined) {
    const deps = {
      db: pool,
      clock: systemClock,
      log,
      secrets,
      calls,
      accounts: composeCarriers(config, metrics),
      webhooks: createCarrierRegistry().webhooks,
    };
    const redelivery = repeat({
      what: 'redelivery of carrier events',
      pauseMs: 1000,
      log,
      work: (signal) => redeliverEvents(deps, signal),
    });
    shutdown.onStop('redelivery of carrier events', () => redelivery.stop());
  }
  workers = runWorkers({
    temporal: config.temporal,
    namespace: config.temporal.namespace,
    workflowBundle,
    dataConverter,
    interceptors: { activity: tracedActivities(tracing) },
    tracing,
    version: buildId === undefined ? undefined : { deploymentName: 'parlance', buildId },
    activities,
    log,
    signal: shutdown.signalled,
  });
  const running = workers;
  shutdown.onStop('workers', () => running.stop());
  await workers.ended;
} catch (error) {
  if (!shutdown.signalled.aborted) {
    log.fatal({ err: error }, 'The worker failed');
    await shutdown.stop('a worker failed', 1);
  }
}
