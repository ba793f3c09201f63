import { once } from 'node:events';
import { join } from 'node:path';
import { installationOf } from '../config/installation.ts';
import { configOfThisProcess } from '../config/read-env.ts';
import { openVariable, readVariable, storageVariable } from '../config/variable.ts';
import { readVersion } from '../config/version.ts';
import { createDataSource } from '../db/data-source.ts';
import { measuredCarriers } from '../providers/carrier/measured.ts';
import { createCarrierRegistry } from '../providers/carrier/registry.ts';
import { createGuardedClient } from '../providers/http/guarded-client.ts';
import { tracedHttp } from '../providers/http/traced.ts';
import { installedModels } from '../domain/models/installed.ts';
import { createLlms, knownModels } from '../providers/llm/installed.ts';
import { createSecretBox } from '../providers/secrets/aes-gcm.ts';
import { parseKeyRing } from '../providers/secrets/key-ring.ts';
import { createTickets } from '../providers/secrets/tickets.ts';
import { createContactFiles } from '../providers/contact-files/contact-files.ts';
import { fileOrigin, openFiles } from '../providers/storage/installed.ts';
import { createInstalledTts, ttsOf } from '../providers/tts/installed.ts';
import { systemClock } from '../runtime/clock.ts';
import { loggedChecks } from '../runtime/dependency-checks.ts';
import { startHealthServer } from '../runtime/health-server.ts';
import { createHttpDrain } from '../runtime/http-drain.ts';
import { randomIds } from '../runtime/ids.ts';
import { createLogger } from '../runtime/logger.ts';
import { watchLoopLag } from '../runtime/loop-lag.ts';
import { createShutdown } from '../runtime/shutdown.ts';
import { startTracing } from '../runtime/start-tracing.ts';
import { noTracing, type Tracing } from '../runtime/tracing.ts';
import { createPhoneCalls } from '../services/calls/index.ts';
import { createEventHub } from '../services/events/index.ts';
import { createRequestLimits } from '../services/identity/index.ts';
import { createCallStarter } from '../temporal/call-starter.ts';
import { createCampaignRuns } from '../temporal/campaign-runs.ts';
import { createDeliveryStarter } from '../temporal/delivery-starter.ts';
import { createErasureStarter } from '../temporal/erasure-starter.ts';
import { createJudgingStarter } from '../temporal/judging-starter.ts';
import { createTemporalClient } from '../temporal/connection.ts';
import { createImportRuns } from '../temporal/import-starter.ts';
import { tracedClient } from '../temporal/traced-client.ts';
import { createRemoteCodec, encryptedPayloads } from '../temporal/payload-encryption.ts';
import { createApi, createSignIn } from './compose.ts';
import { createHttpServer } from './http-server.ts';
import { createApiMetrics } from './metrics.ts';

/** The API process. It creates its parts from top to bottom and stops them in reverse order. */
const config = configOfThisProcess();
let tracing: Tracing = noTracing;
const log = createLogger({ level: config.logLevel, role: 'api', tracing: () => tracing });
const shutdown = createShutdown({ log, limitMs: 15_000 });
const version = readVersion();

tracing = await startTracing({ config: config.tracing, role: 'api', version, log });
shutdown.onStop('traces', () => tracing.stop());

const secrets = readVariable('PARLANCE_ENCRYPTION_KEYS', () => createSecretBox(config.encryptionKeys));
const { payloadKeys, codecToken, uiUrl } = config.temporal;
const payloadRing =
  payloadKeys === undefined
    ? undefined
    : readVariable('PARLANCE_PAYLOAD_KEYS', () => parseKeyRing(payloadKeys));
const http = readVariable('PARLANCE_ALLOWED_PRIVATE_HOSTS', () => createGuardedClient(config.customerUrls));
shutdown.onStop('customer connections', () => http.close());
const files = await openVariable(storageVariable(config), () =>
  openFiles({ settings: config.storage, clock: systemClock, log }),
);

const db = await createDataSource({ url: config.databaseUrl });
shutdown.onStop('MySQL', () => db.destroy());

const dataConverter = payloadRing === undefined ? undefined : encryptedPayloads(payloadRing);
const temporal = createTemporalClient({
  ...config.temporal,
  dataConverter,
  interceptors: tracedClient(tracing),
});
shutdown.onStop('Temporal', () => temporal.close());

const checks = loggedChecks(
  {
    mysql: async () => void (await db.query('SELECT 1')),
    temporal: async () =>
      void (await temporal.request((client) =>
        client.workflowService.describeNamespace({ namespace: temporal.namespace }),
      )),
  },
  log,
);
const { metrics, scrape } = createApiMetrics({ version, checks, db, models: knownModels(config.llm) });
const watched = await startHealthServer({
  port: config.http.metricsPort,
  host: config.http.host,
  log,
  checks,
  scrape,
});
shutdown.onStop('health and metrics server', () => watched.close());

const { requestLimits: limits } = config;
const requestLimits = limits === undefined ? undefined : createRequestLimits({ ...limits, db, log, metrics });
shutdown.onStop('request limits', () => requestLimits?.stop());

const calls = createCallStarter({ temporal, uiUrl });
const registry = createCarrierRegistry();
const phoneCalls = createPhoneCalls({ db, calls });
const customerHttp = tracedHttp(http, tracing);
const llms = createLlms({ settings: config.llm, http: customerHttp, metrics, tracing });
const tts = createInstalledTts({ settings: config.tts, metrics, tracing });
shutdown.onStop('voices', () => tts.close());
const events = createEventHub({ db, clock: systemClock, log });
const app = createApi({
  db,
  events,
  clock: systemClock,
  ids: randomIds,
  log,
  metrics,
  tracing,
  secrets,
  http: customerHttp,
  llms,
  installedModels: llms.hasModel ? installedModels(config) : undefined,
  tickets: createTickets(secrets),
  files,
  directories: {
    contactFiles: createContactFiles(),
    imports: createImportRuns({ temporal }),
    maxBytes: config.directoryMaxBytes,
  },
  calls,
  campaignRuns: createCampaignRuns({ temporal }),
  deliveries: createDeliveryStarter({ temporal }),
  erasures: createErasureStarter({ temporal }),
  judgings: createJudgingStarter({ temporal }),
  carriers: new Map(registry.providers.map((provider) => [provider, phoneCalls])),
  callLimits: config.callLimits,
  accounts: measuredCarriers(registry.accounts(config.carrierUrls), metrics),
  prices: config.llm.prices,
  publicUrl: config.http.publicUrl,
  signIn: createSignIn({ db, secrets, keyRing: config.encryptionKeys, accounts: config.accounts }),
  isSignupEnabled: config.signupEnabled,
  console: config.http.console
    ? { folder: join(import.meta.dirname, '../../dist/console'), bucket: fileOrigin(config.storage) }
    : undefined,
  installation: installationOf(config),
  voices: { installed: tts.hasTts ? tts.voice : null, portOf: (resolved) => ttsOf(tts, resolved) },
  requestLimits,
  trustedProxies: config.http.trustedProxies,
  corsOrigins: config.http.corsOrigins,
  codec:
    payloadRing === undefined || codecToken === undefined
      ? undefined
      : { codec: createRemoteCodec(payloadRing), token: codecToken, uiUrl },
  version,
  devops:
    config.devopsSecret === undefined ? undefined : { secret: config.devopsSecret, loopLag: watchLoopLag() },
  checks,
  checkAnswers: false,
});

const server = createHttpServer(app, { log, freshRequestId: () => randomIds.uuid() });
const drain = createHttpDrain(server);
server.listen(config.http.port, config.http.host);
await once(server, 'listening');
shutdown.onStop('HTTP server', () => drain.stop());
shutdown.onStop('streams of events', () => events.stop());
log.info({ host: config.http.host, port: config.http.port }, 'The API listens');
