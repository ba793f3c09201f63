import type { Express, Router } from 'express';
import type { DataSource } from 'typeorm';
import type { AccountLimits } from '../config/env.ts';
import { apiPrefix } from '../contract/paths.ts';
import { setPasswordByLink } from '../contract/people.ts';
import type { Route } from '../contract/route.ts';
import type { PriceList } from '../domain/call/cost.ts';
import type { InstalledModels } from '../domain/models/installed.ts';
import type { Carriers, CarrierWebhooks } from '../providers/carrier/port.ts';
import { createCarrierRegistry } from '../providers/carrier/registry.ts';
import type { CustomerHttpPort } from '../providers/http/port.ts';
import { signWebhook } from '../providers/http/webhook-signer.ts';
import { createKeyCheck } from '../providers/llm/key-check.ts';
import { createArgon2 } from '../providers/passwords/argon2.ts';
import type { SecretBox } from '../providers/secrets/port.ts';
import { createSessionTokens } from '../providers/secrets/session-tokens.ts';
import { createLocalStorage } from '../providers/storage/local.ts';
import type { Files } from '../providers/storage/port.ts';
import type { Clock } from '../runtime/clock.ts';
import type { HealthCheck } from '../runtime/health-server.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { idAttributes } from '../runtime/span-names.ts';
import { noTracing, type Tracing } from '../runtime/tracing.ts';
import type { GenerateDeps } from '../services/agents/index.ts';
import { findCallByPublicToken, renderTranscript } from '../services/calls/index.ts';
import { createCampaignCounts } from '../services/campaigns/index.ts';
import { grantOf, type ServiceContext, translateUnavailable } from '../services/kernel/index.ts';
import {
  authenticateKey,
  type RequestLimiter,
  authenticateSession,
  createKnownCallers,
  createSignInLimits,
  createTicketUses,
  redeemDownloadTicket,
  type SignInDeps,
} from '../services/identity/index.ts';
import { listStreamOrigins } from '../services/media/index.ts';
import { createSampleLimit, type SampleVoices } from '../services/models/index.ts';
import { countActiveCalls } from '../services/operations/index.ts';
import type { EventHub } from '../services/events/index.ts';
import type { DirectoryDeps } from '../services/contacts/index.ts';
import type { CallLimits, OutboundCarriers } from '../services/telephony/index.ts';
import type { DeliveryStarter } from '../temporal/delivery-port.ts';
import type { ErasureStarter } from '../temporal/erasure-port.ts';
import type { JudgingStarter } from '../temporal/judging-port.ts';
import type { CallStarter, CampaignRuns } from '../temporal/port.ts';
import { createApp } from './app.ts';
import type { Authenticated } from './bind.ts';
import { carrierRoutes } from './routes/carrier-webhooks.ts';
import { codecRoutes, type CodecOptions } from './codec/routes.ts';
import { consoleRoutes } from './console/routes.ts';
import { createHandlers, type HandlerDeps } from './handlers.ts';
import { authenticator, keyAuthenticator } from './middleware/authenticate.ts';
import { onceRunner } from './middleware/run-once.ts';
import type { DevopsRouteDeps } from './routes/devops.ts';
import type { DownloadRouteDeps } from './routes/downloads.ts';
import type { ServiceRouteDeps } from './routes/service.ts';
import type { StoredFiles } from './stored-files.ts';

export interface ApiDeps {
  db: DataSource;
  clock: Clock;
  ids: Ids;
  log: Logger;
  metrics: Metrics;
  tracing?: Tracing | undefined;
  secrets: SecretBox;
  /** For requests to customers' endpoints. The API needs it for testing tools. */
  http: CustomerHttpPort;
  /** Language models for generating agents. Calls use the workers' models. */
  llms: Omit<GenerateDeps, 'secrets'>;
  /** The models of calls, as answers name them. Absent if the installation has none. */
  installedModels?: InstalledModels | undefined;
  tickets: DownloadRouteDeps['tickets'];
  /** File storage. Absent if the installation has none. */
  files?: Files | undefined;
  /** The reader of contact files and the starter of imports. */
  directories: Pick<DirectoryDeps, 'contactFiles' | 'imports' | 'maxBytes'>;
  calls: CallStarter;
  campaignRuns: CampaignRuns;
  deliveries: DeliveryStarter;
  erasures: ErasureStarter;
  judgings: JudgingStarter;
  /** Adapters that dial, by provider. */
  carriers: OutboundCarriers;
  /** Limits of concurrent phone calls per organization, instead of the defaults. */
  callLimits?: CallLimits | undefined;
  /** Accounts at carriers. Absent if the installation connects to none. */
  accounts?: Carriers | undefined;
  /** Readers of the webhooks of all carriers that the installation connects to. */
  webhooks?: CarrierWebhooks;
  /** Prices of tokens. Absent if the operator has set none. */
  prices?: PriceList | undefined;
  /** Base URL under which customers reach this installation. */
  publicUrl: string;
  signIn: SignInDeps;
  isSignupEnabled: boolean;
  /** The built console. Absent if `/` serves none. */
  console?: { folder: string; bucket: string | undefined } | undefined;
  installation: ServiceRouteDeps['installation'];
  /** For samples of voices. */
  voices: SampleVoices;
  /** The events of all streams of this process. */
  events: EventHub;
  /** Absent if there are no request limits. */
  requestLimits?: RequestLimiter | undefined;
  trustedProxies?: string[] | undefined;
  corsOrigins?: readonly string[] | undefined;
  version: string;
  /** Codec of encrypted payloads for Temporal UI and CLI. Absent if its routes do not exist. */
  codec?: Pick<CodecOptions, 'codec' | 'token' | 'uiUrl'> | undefined;
  /** For autoscalers. Absent if their routes do not exist. */
  devops?: DevopsRouteDeps['devops'];
  checks: Record<string, HealthCheck>;
  /** Whether answers are checked against their schemas: in tests and development. */
  checkAnswers: boolean;
}

/** Creates the dependencies of sign-in, with the installation's keys. Throws KeyRingError. */
export function createSignIn({
  db,
  secrets,
  keyRing,
  accounts: { maxSignupsPerHour, sessionIdleMs },
}: {
  db: DataSource;
  secrets: SecretBox;
  keyRing: string;
  accounts: AccountLimits;
}): SignInDeps {
  return {
    passwords: createArgon2(),
    tokens: createSessionTokens(keyRing),
    secrets,
    limits: createSignInLimits(db, { maxSignupsPerHour }),
    sessionIdleMs,
  };
}

/** The storage with its own links to files, or with links to the API if it has none. */
function storageOf({
  files,
  tickets,
  clock,
  publicUrl,
}: Pick<ApiDeps, 'tickets' | 'clock' | 'publicUrl'> & { files: Files }): StoredFiles {
  const linkOf = (use: 'upload' | 'file', ticket: string) =>
    `${publicUrl}${apiPrefix}/public/${use}/${encodeURIComponent(ticket)}`;
  const { links, backend, facts, read, remove } = files;
  if (links === null)
    return createLocalStorage({
      directory: files,
      tickets,
      clock,
      uploadUrl: (ticket) => linkOf('upload', ticket),
      downloadUrl: (ticket) => linkOf('file', ticket),
    });
  return {
    ...links,
    backend,
    facts,
    read,
    remove,
    receive: () => Promise.resolve('invalid_link'),
    granted: () => null,
  };
}

/** Creates the API. Tests and `main.ts` differ only in the dependencies that they pass. */
export function createApi(deps: ApiDeps): Express {
  const contexts = createContexts(deps);
  return createApp<ServiceContext>({
    handlers: createHandlers(handlerDeps(deps, contexts)),
    ...authentication(deps, contexts),
    countRequest: deps.requestLimits?.count,
    runOnce: onceRunner(deps.tickets),
    extra: extraRoutes(deps),
    console: consoleOf(deps),
    checkAnswers: deps.checkAnswers,
    log: deps.log,
    metrics: deps.metrics,
    tracing: deps.tracing ?? noTracing,
    trustedProxies: deps.trustedProxies,
    corsOrigins: deps.corsOrigins,
    freshRequestId: () => deps.ids.uuid(),
    translate: translateUnavailable,
  });
}

function consoleOf({ console, publicUrl, db }: ApiDeps): Router | undefined {
  if (console === undefined) return undefined;
  return consoleRoutes({ ...console, publicUrl, streams: () => listStreamOrigins(db.manager) });
}

interface Contexts {
  /** Of a request without credentials. */
  visitor: (requestId: string) => Omit<ServiceContext, 'organizationId' | 'actor'> & { requestId: string };
  /** Of a request whose credentials were checked; the request's span gets the organization's id. */
  caller: (who: Pick<ServiceContext, 'organizationId' | 'actor'>, requestId: string) => ServiceContext;
}

function createContexts({
  db,
  clock,
  ids,
  log,
  secrets,
  installedModels,
  tracing = noTracing,
}: ApiDeps): Contexts {
  const visitor = (requestId: string) => ({
    db,
    clock,
    ids,
    log: log.child({ requestId }),
    secrets,
    installedModels,
    requestId,
  });
  return {
    visitor,
    caller: ({ organizationId, actor }, requestId) => {
      tracing.annotate({ [idAttributes.organizationId]: organizationId });
      return { organizationId, actor, ...visitor(requestId) };
    },
  };
}

/** API keys, sessions and tickets of downloads. */
function authentication(
  { db, clock, log, tickets, signIn: { tokens, sessionIdleMs } }: ApiDeps,
  contexts: Contexts,
) {
  const uses = createTicketUses(db);
  const admitted = (
    who: Pick<ServiceContext, 'organizationId' | 'actor'>,
    requestId: string,
  ): Authenticated<ServiceContext> => ({
    caller: contexts.caller(who, requestId),
    ...grantOf(who.actor),
  });
  const callers = createKnownCallers<Pick<ServiceContext, 'organizationId' | 'actor'>>(clock);
  const byKey = async (key: string, requestId: string) => {
    const caller = await callers.find(`key ${key}`, () => authenticateKey({ db, clock, log, key }));
    return caller === null ? null : admitted(caller, requestId);
  };
  const authenticate = authenticator({
    byKey,
    bySession: async (token, requestId) => {
      const check = () => authenticateSession({ db, clock, log, tokens, sessionIdleMs, token });
      return admitted(await callers.find(`session ${token}`, check), requestId);
    },
    byTicket: async (ticket, requestId) =>
      admitted(
        await redeemDownloadTicket({ db, clock, log, tickets, uses, sessionIdleMs, ...ticket }),
        requestId,
      ),
  });
  const changed = ({ id, scope }: Route): void => {
    // guarantee: own-change-of-access-acts-at-once
    if (changesAccess.has(scope ?? id)) callers.forget();
  };
  return { authenticate, authenticateKey: keyAuthenticator(byKey), changed };
}

/** Scopes of the routes that change keys, sessions and roles, and the one without a scope that ends sessions. */
const changesAccess: ReadonlySet<string> = new Set([
  'keys:write',
  'account:write',
  'admin',
  setPasswordByLink.id,
]);

/** What the handlers of the route table work with. */
function handlerDeps(deps: ApiDeps, contexts: Contexts): HandlerDeps {
  const quotas = deps.callLimits?.quotas;
  const { db, clock, http, secrets, files, publicUrl, accounts, prices, devops } = deps;
  return {
    ...deps,
    visitorContext: contexts.visitor,
    checkKey: createKeyCheck({ http }),
    sign: signWebhook,
    samples: { voices: deps.voices, limit: createSampleLimit(db), quotas },
    generation: { ...deps.llms, secrets, quotas },
    storage: files === undefined ? undefined : storageOf({ ...deps, files }),
    directories: { ...deps.directories, files },
    campaignCounts: createCampaignCounts(db, clock),
    countActiveCalls: () => countActiveCalls(db),
    deps: { calls: deps.calls },
    quotas,
    accounts,
    prices,
    devops,
    limits: deps.callLimits,
    inboundUrl: `${publicUrl}${apiPrefix}/telephony/inbound/run`,
    findCallByPublicToken: (token) => findCallByPublicToken({ db, token }),
    renderTranscript: (call) => renderTranscript({ db, ...call }),
  };
}

/** Routes outside the table: webhooks of carriers, and the codec for Temporal UI. */
function extraRoutes(deps: ApiDeps): Router[] {
  const { webhooks = createCarrierRegistry().webhooks, callLimits: limits, accounts, codec } = deps;
  return [
    carrierRoutes({ ...deps, webhooks, limits, accounts }),
    ...(codec === undefined ? [] : [codecRoutes({ ...deps, ...codec })]),
  ];
}
