/**
 * The API process with programmed deaths: it kills itself with SIGKILL at the first of its points, `<moment>
 * <request>` each, that it reaches (death.ts). The request is one to a running call: openTextSession,
 * sendMessage, rewind or endSession. `before` = the API's rows are in MySQL, but Temporal has no request;
 * `during` = Temporal has the request; `after` = Temporal has answered; `answering` = the answer is stored
 * under its key, but the client does not have it yet. Otherwise it runs src/api/main.ts.
 */
import { createServer, type ServerResponse } from 'node:http';
import { createApi, createSignIn } from '../../../src/api/compose.ts';
import { configOfThisProcess } from '../../../src/config/read-env.ts';
import { createDataSource } from '../../../src/db/data-source.ts';
import { createGuardedClient } from '../../../src/providers/http/guarded-client.ts';
import { createLlms } from '../../../src/providers/llm/installed.ts';
import { createContactFiles } from '../../../src/providers/contact-files/contact-files.ts';
import { createSecretBox } from '../../../src/providers/secrets/aes-gcm.ts';
import { createTickets } from '../../../src/providers/secrets/tickets.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { randomIds } from '../../../src/runtime/ids.ts';
import { createLogger } from '../../../src/runtime/logger.ts';
import { noMetrics } from '../../../src/runtime/metrics.ts';
import { noTracing } from '../../../src/runtime/tracing.ts';
import { createEventHub } from '../../../src/services/events/index.ts';
import { createCallStarter } from '../../../src/temporal/call-starter.ts';
import { createCampaignRuns } from '../../../src/temporal/campaign-runs.ts';
import { createTemporalClient } from '../../../src/temporal/connection.ts';
import { createDeliveryStarter } from '../../../src/temporal/delivery-starter.ts';
import { createErasureStarter } from '../../../src/temporal/erasure-starter.ts';
import { createJudgingStarter } from '../../../src/temporal/judging-starter.ts';
import { createImportRuns } from '../../../src/temporal/import-starter.ts';
import type { CallStarter } from '../../../src/temporal/port.ts';
import { death } from './death.ts';
import { fakeVoices } from '../fake-voices.ts';

const paths: Record<string, RegExp> = {
  openTextSession: /\/sessions$/,
  sendMessage: /\/messages$/,
  rewind: /\/rewind$/,
  endSession: /\/end$/,
};
const dies = death();

function deadly<Input extends unknown[], Output>(
  name: string,
  ask: (...input: Input) => Promise<Output>,
): (...input: Input) => Promise<Output> {
  return async (...input) => {
    dies.at(`before ${name}`);
    dies.soonAfter(`during ${name}`);
    const outcome = await ask(...input);
    dies.at(`after ${name}`);
    return outcome;
  };
}

function deadlyStarter(real: CallStarter): CallStarter {
  return {
    ...real,
    openTextSession: deadly('openTextSession', (...input: Parameters<CallStarter['openTextSession']>) =>
      real.openTextSession(...input),
    ),
    sendMessage: deadly('sendMessage', (...input: Parameters<CallStarter['sendMessage']>) =>
      real.sendMessage(...input),
    ),
    rewind: deadly('rewind', (...input: Parameters<CallStarter['rewind']>) => real.rewind(...input)),
    endSession: deadly('endSession', (...input: Parameters<CallStarter['endSession']>) =>
      real.endSession(...input),
    ),
  };
}

function dieBeforeAnswer(path: string, res: ServerResponse): void {
  const name = Object.keys(paths).find((each) => paths[each]?.test(path));
  const end = res.end.bind(res);
  res.end = (...args: unknown[]) => {
    if (name !== undefined && res.statusCode === 200) dies.at(`answering ${name}`);
    return Reflect.apply(end, res, args);
  };
}

const config = configOfThisProcess();
const log = createLogger({ level: config.logLevel, role: 'chaos-api' });
const temporal = createTemporalClient(config.temporal);
const secrets = createSecretBox(config.encryptionKeys);
const db = await createDataSource({ url: config.databaseUrl });
const http = createGuardedClient(config.customerUrls);
const app = createApi({
  db,
  events: createEventHub({ db, clock: systemClock, log }),
  clock: systemClock,
  ids: randomIds,
  log,
  metrics: noMetrics,
  secrets,
  llms: createLlms({ settings: config.llm, http, metrics: noMetrics, tracing: noTracing }),
  tickets: createTickets(secrets),
  calls: deadlyStarter(createCallStarter({ temporal })),
  campaignRuns: createCampaignRuns({ temporal }),
  deliveries: createDeliveryStarter({ temporal }),
  erasures: createErasureStarter({ temporal }),
  judgings: createJudgingStarter({ temporal }),
  directories: {
    contactFiles: createContactFiles(),
    imports: createImportRuns({ temporal }),
    maxBytes: config.directoryMaxBytes,
  },
  carriers: new Map(),
  http,
  publicUrl: config.http.publicUrl,
  signIn: createSignIn({ db, secrets, keyRing: config.encryptionKeys, accounts: config.accounts }),
  isSignupEnabled: false,
  voices: fakeVoices,
  installation: {
    simulated: { llm: true, stt: true, tts: true, carrier: true },
    links: { temporalUi: null, traces: null },
  },
  version: 'chaos',
  checks: {},
  checkAnswers: false,
});
const server = createServer((req, res) => {
  dieBeforeAnswer(req.url ?? '', res);
  app(req, res);
});
server.listen(config.http.port, config.http.host);
