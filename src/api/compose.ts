import type { Express } from 'express';
import type { DataSource } from 'typeorm';
import { apiPrefix } from '../contract/paths.ts';
import type { PriceList } from '../domain/call/cost.ts';
import type { Carriers, CarrierWebhooks } from '../providers/carrier/port.ts';
import { createCarrierRegistry } from '../providers/carrier/registry.ts';
import type { CustomerHttpPort } from '../providers/http/port.ts';
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
import { type ServiceContext, translateUnavailable } from '../services/kernel/index.ts';
import {
  authenticateKey,
  type RequestLimiter,
  authenticateSession,
  createSignInLimits,
  type SignInDeps,
} from '../services/identity/index.ts';
import { countActiveCalls } from '../services/operations/index.ts';
import type { DirectoryDeps } from '../services/contacts/index.ts';
import type { CallLimits, OutboundCarriers } from '../services/telephony/index.ts';
import type { DeliveryStarter } from '../temporal/delivery-port.ts';
import type { CallStarter, CampaignRuns } from '../temporal/port.ts';
import { createApp } from './app.ts';
import type { Authenticated } from './bind.ts';
import { carrierRoutes } from './routes/carrier-webhooks.ts';
import { codecRoutes, type CodecOptions } from './codec/routes.ts';
import { createHandlers } from './handlers.ts';
import { authenticator, keyAuthenticator } from './middleware/authenticate.ts';
import { onceRunner } from './middleware/run-once.ts';
import type { DevopsRouteDeps } from './routes/devops.ts';
import type { DownloadRouteDeps } from './routes/downloads.ts';
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
  tickets: DownloadRouteDeps['tickets'];
  /** File storage. Absent if the installation has none. */
  files?: Files | undefined;
  /** The reader of contact files and the starter of imports. */
  directories: Pick<DirectoryDeps, 'contactFiles' | 'imports' | 'maxBytes'>;
  calls: CallStarter;
  campaignRuns: CampaignRuns;
  deliveries: DeliveryStarter;
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
}: {
  db: DataSource;
  secrets: SecretBox;
  keyRing: string;
}): SignInDeps {
  return {
    passwords: createArgon2(),
    tokens: createSessionTokens(keyRing),
    secrets,
    limits: createSignInLimits(db),
  };
}

/** The storage with its own links to files, or with links to the API if it has none. */
function storageOf({
  files,
  tickets,
  clock,
  linkOf,
}: {
  files: Files;
  tickets: ApiDeps['tickets'];
  clock: Clock;
  linkOf: (use: 'upload' | 'file', ticket: string) => string;
}): StoredFiles {
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
    receive: () => Promise.resolve('no_leave'),
    granted: () => null,
  };
}

/** Creates the API. Tests and `main.ts` differ only in the dependencies that they pass. */
export function createApi({
  db,
  clock,
  ids,
  log,
  metrics,
  tracing = noTracing,
  secrets,
  http,
  llms,
  tickets,
  files,
  directories,
  calls,
  campaignRuns,
  deliveries,
  carriers,
  callLimits,
  accounts,
  webhooks = createCarrierRegistry().webhooks,
  prices,
  publicUrl,
  signIn,
  isSignupEnabled,
  requestLimits,
  trustedProxies,
  corsOrigins,
  version,
  codec,
  devops,
  checks,
  checkAnswers,
}: ApiDeps): Express {
  const linkOf = (use: 'upload' | 'file', ticket: string) =>
    `${publicUrl}${apiPrefix}/public/${use}/${encodeURIComponent(ticket)}`;
  const visitorContext = (requestId: string) => ({
    db,
    clock,
    ids,
    log: log.child({ requestId }),
    secrets,
    requestId,
  });
  const contextOf = (
    { organizationId, actor }: Pick<ServiceContext, 'organizationId' | 'actor'>,
    requestId: string,
  ): ServiceContext => {
    tracing.annotate({ [idAttributes.organizationId]: organizationId });
    return { organizationId, actor, ...visitorContext(requestId) };
  };
  const byKey = async (key: string, requestId: string): Promise<Authenticated<ServiceContext> | null> => {
    const caller = await authenticateKey({ db, clock, log, key });
    return caller === null ? null : { caller: contextOf(caller, requestId), scopes: caller.scopes };
  };
  return createApp<ServiceContext>({
    handlers: createHandlers({
      clock,
      publicUrl,
      signIn,
      isSignupEnabled,
      visitorContext,
      secrets,
      http,
      checkKey: createKeyCheck({ http }),
      prices,
      generation: { ...llms, secrets },
      tickets,
      storage: files === undefined ? undefined : storageOf({ files, tickets, clock, linkOf }),
      directories: { ...directories, files },
      campaignRuns,
      campaignCounts: createCampaignCounts(db),
      version,
      checks,
      devops,
      countActiveCalls: () => countActiveCalls(db),
      deps: { calls },
      deliveries,
      carriers,
      limits: callLimits,
      accounts,
      inboundUrl: `${publicUrl}${apiPrefix}/telephony/inbound/run`,
      findCallByPublicToken: (token) => findCallByPublicToken({ db, token }),
      renderTranscript: (call) => renderTranscript({ db, ...call }),
    }),
    authenticate: authenticator({
      byKey,
      bySession: async (token, requestId) => ({
        caller: contextOf(await authenticateSession({ db, clock, tokens: signIn.tokens, token }), requestId),
        scopes: null,
      }),
    }),
    authenticateKey: keyAuthenticator(byKey),
    countRequest: requestLimits?.count,
    runOnce: onceRunner(tickets),
    extra: [
      carrierRoutes({
        db,
        clock,
        ids,
        log,
        metrics,
        secrets,
        calls,
        accounts,
        limits: callLimits,
        webhooks,
      }),
      ...(codec === undefined ? [] : [codecRoutes({ ...codec, tickets, clock, publicUrl })]),
    ],
    checkAnswers,
    log,
    metrics,
    tracing,
    trustedProxies,
    corsOrigins,
    freshRequestId: () => ids.uuid(),
    translate: translateUnavailable,
  });
}
