import { reportCallEnd } from '../../../src/services/campaigns/index.ts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createApi, createSignIn } from '../../../src/api/compose.ts';
import { configOfThisProcess } from '../../../src/config/read-env.ts';
import { readVersion } from '../../../src/config/version.ts';
import { createDataSource } from '../../../src/db/data-source.ts';
import { createGuardedClient } from '../../../src/providers/http/guarded-client.ts';
import { updateRows } from '../../../src/db/rows.ts';
import { calls } from '../../../src/db/tables/calls.ts';
import { createEventHub } from '../../../src/services/events/index.ts';
import { usualCallLimits, type OutboundCarrier } from '../../../src/services/telephony/index.ts';
import { createLlms } from '../../../src/providers/llm/installed.ts';
import { createContactFiles } from '../../../src/providers/contact-files/contact-files.ts';
import { createSecretBox } from '../../../src/providers/secrets/aes-gcm.ts';
import { createTickets } from '../../../src/providers/secrets/tickets.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { randomIds } from '../../../src/runtime/ids.ts';
import { createLogger } from '../../../src/runtime/logger.ts';
import { noMetrics } from '../../../src/runtime/metrics.ts';
import { noTracing } from '../../../src/runtime/tracing.ts';
import { createDirectCalls } from './calls.ts';
import { fakeVoices } from '../../../test/support/fake-voices.ts';

/** The baseline's process: the service's own API, middleware and verbs, with calls.ts instead of Temporal. */
const config = configOfThisProcess();
const log = createLogger({ level: config.logLevel, role: 'api' });
const db = await createDataSource({ url: config.databaseUrl });
const secrets = createSecretBox(config.encryptionKeys);
const http = createGuardedClient(config.customerUrls);
const llms = createLlms({ settings: config.llm, http, metrics: noMetrics, tracing: noTracing });
/** Accepts every dial and hangs up at once, so that no line stays busy. */
const hangsUp: OutboundCarrier = {
  startCall: async ({ id, organizationId }) =>
    void (await updateRows(db.manager, calls, { where: { id, organizationId }, change: { state: 'ended' } })),
};
const notHere = () => Promise.reject(new Error('The baseline sends no webhooks'));

const app = createApi({
  db,
  events: createEventHub({ db, clock: systemClock, log }),
  clock: systemClock,
  ids: randomIds,
  log,
  metrics: noMetrics,
  secrets,
  http,
  llms,
  tickets: createTickets(secrets),
  calls: createDirectCalls({
    reportCallEnd,
    db,
    clock: systemClock,
    ids: randomIds,
    log,
    secrets,
    ...llms,
    publicUrl: config.http.publicUrl,
  }),
  campaignRuns: { start: notHere, wake: notHere },
  deliveries: { resend: notHere, drain: notHere },
  erasures: { start: notHere },
  judgings: { start: notHere },
  directories: {
    contactFiles: createContactFiles(),
    imports: { start: notHere, cancel: notHere },
    maxBytes: config.directoryMaxBytes,
  },
  carriers: new Map([['telnyx', hangsUp]]),
  callLimits: { ...usualCallLimits, calls: 1000 },
  publicUrl: config.http.publicUrl,
  signIn: createSignIn({ db, secrets, keyRing: config.encryptionKeys, accounts: config.accounts }),
  isSignupEnabled: false,
  voices: fakeVoices,
  installation: {
    simulated: { llm: true, stt: true, tts: true, carrier: true },
    links: { temporalUi: null, traces: null },
  },
  version: readVersion(),
  checks: {},
  checkAnswers: false,
});

const server = createServer({ keepAliveTimeout: 75_000 }, app);
server.listen(config.http.port, config.http.host);
await once(server, 'listening');

process.once('SIGTERM', () => {
  server.close(() => void Promise.all([db.destroy(), http.close()]));
  server.closeAllConnections();
});
