import { once } from 'node:events';
import { createServer } from 'node:http';
import { createApi, createSignIn } from '../../../src/api/compose.ts';
import { configOfThisProcess } from '../../../src/config/read-env.ts';
import { readVersion } from '../../../src/config/version.ts';
import { createDataSource } from '../../../src/db/data-source.ts';
import { createGuardedClient } from '../../../src/providers/http/guarded-client.ts';
import { createOpenAiLlm } from '../../../src/providers/llm/openai.ts';
import { createSecretBox } from '../../../src/providers/secrets/aes-gcm.ts';
import { createTickets } from '../../../src/providers/secrets/tickets.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { randomIds } from '../../../src/runtime/ids.ts';
import { createLogger } from '../../../src/runtime/logger.ts';
import { noMetrics } from '../../../src/runtime/metrics.ts';
import { createDirectCalls } from './calls.ts';

/** The baseline's process: the service's own API, middleware and verbs, with calls.ts where Temporal would be. */
const config = configOfThisProcess();
const log = createLogger({ level: config.logLevel, role: 'api' });
const db = await createDataSource({ url: config.databaseUrl });
const secrets = createSecretBox(config.encryptionKeys);
const llm = createOpenAiLlm({ apiKey: config.llm.apiKey ?? '', baseUrl: config.llm.baseUrl });
const http = createGuardedClient(config.customerUrls);
const notHere = () => Promise.reject(new Error('The baseline sends no webhooks'));

const app = createApi({
  db,
  clock: systemClock,
  ids: randomIds,
  log,
  metrics: noMetrics,
  secrets,
  http,
  tickets: createTickets(secrets),
  calls: createDirectCalls({ db, clock: systemClock, ids: randomIds, log, llm, model: config.llm.model, publicUrl: config.http.publicUrl }),
  deliveries: { resend: notHere, drain: notHere },
  carriers: new Map(),
  publicUrl: config.http.publicUrl,
  signIn: createSignIn({ db, secrets, keyRing: config.encryptionKeys }),
  isSignupEnabled: false,
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
