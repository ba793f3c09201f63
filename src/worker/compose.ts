import { KeptScenes } from '../services/calls/index.ts';
import { createRecentConfigurations } from '../services/models/index.ts';
import { lastCheck, reportCallEnd, type PaceDeps } from '../services/campaigns/index.ts';
import type { DataSource } from 'typeorm';
import { createCallActivities } from '../activities/call.ts';
import { createCampaignActivities } from '../activities/campaign.ts';
import { createDeliveryActivities } from '../activities/delivery.ts';
import { createDrainActivities } from '../activities/drain.ts';
import {
  countingFailures,
  measuredAttempts,
  measuredCallActivities,
  measuredCampaignActivities,
  measuredDeliveryActivities,
  measuredRetentionActivities,
  measuredTelephonyActivities,
} from '../activities/measured.ts';
import { createErasureActivities } from '../activities/erasure.ts';
import { createFileImportActivities, createImportActivities } from '../activities/import.ts';
import { createRecordingActivities } from '../activities/recording.ts';
import { createReconcileActivities } from '../activities/reconcile.ts';
import { createRetentionActivities } from '../activities/retention.ts';
import { createTelephonyActivities } from '../activities/telephony.ts';
import type { Config } from '../config/env.ts';
import { createDataSource } from '../db/data-source.ts';
import type { WorkerRole } from '../domain/declaration.ts';
import { UnavailableError } from '../domain/errors.ts';
import { measuredCarriers } from '../providers/carrier/measured.ts';
import type { Carriers } from '../providers/carrier/port.ts';
import { createCarrierRegistry } from '../providers/carrier/registry.ts';
import type { GuardedClient } from '../providers/http/guarded-client.ts';
import { tracedHttp } from '../providers/http/traced.ts';
import { signWebhook } from '../providers/http/webhook-signer.ts';
import { createStts } from '../providers/recognizers.ts';
import { createInstalledTts } from '../providers/tts/installed.ts';
import { createContactFiles } from '../providers/contact-files/contact-files.ts';
import type { Files } from '../providers/storage/port.ts';
import { createLlms } from '../providers/llm/installed.ts';
import type { SecretBox } from '../providers/secrets/port.ts';
import { systemClock } from '../runtime/clock.ts';
import { randomIds } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { noTracing, type Tracing } from '../runtime/tracing.ts';
import { startImport } from '../services/contacts/index.ts';
import { startDeliveryPump, type DeliveryPump } from '../services/webhooks/index.ts';
import { createCallStarter } from '../temporal/call-starter.ts';
import { createCampaignRuns } from '../temporal/campaign-runs.ts';
import type { TemporalClient } from '../temporal/connection.ts';
import { createDeliveryStarter } from '../temporal/delivery-starter.ts';
import { createExecutions } from '../temporal/executions.ts';
import { createHistories } from '../temporal/histories.ts';
import { createImportRuns } from '../temporal/import-starter.ts';
import { pause } from '../runtime/pause.ts';

export interface ActivityParts {
  config: Omit<Config, 'encryptionKeys'>;
  log: Logger;
  metrics: Metrics;
  tracing?: Tracing;
  db: DataSource;
  secrets: SecretBox;
  http: GuardedClient;
  temporal: TemporalClient;
  /** When absent, calls are not recorded. */
  files?: Files | undefined;
  /** The pump of this process, which gets the webhooks as they are committed. */
  pump?: DeliveryPump | undefined;
}

/** Every role's activities with their real dependencies. */
export function composeActivities(parts: ActivityParts): Record<WorkerRole, object> {
  const { config, log, metrics, db, secrets, temporal, files } = parts;
  const shared = composeShared(parts);
  const { common, accounts } = shared;
  return {
    call: callActivities(parts, shared),
    delivery: deliveryActivities(parts, shared),
    campaign: {
      ...countingFailures(createImportActivities(common), metrics),
      ...measuredCampaignActivities(
        createCampaignActivities(paceDeps({ config, db, log, secrets, temporal, files, accounts })),
        metrics,
      ),
    },
    import: composeFileImport({ db, log, metrics, files }),
  };
}

/** What the activities of several roles work with. */
function composeShared({
  config,
  log,
  metrics,
  tracing = noTracing,
  db,
  secrets,
  http: guarded,
  files,
  pump,
}: ActivityParts) {
  const common = { db, clock: systemClock, ids: randomIds, log };
  const http = tracedHttp(guarded, tracing);
  const { llm, model, customerLlms } = createLlms({ settings: config.llm, http, metrics, tracing });
  if (llm.simulated) log.warn({ model }, 'The language model is simulated');
  const { stt, sttModel } = createStts({ settings: config.stt, metrics });
  const voice = {
    tts: createInstalledTts({ settings: config.tts, metrics, tracing }).voice,
    stt: { shownAs: stt.provider, provider: config.stt.provider, model: sttModel, language: null },
  };
  const conversation = {
    ...common,
    secrets,
    llm,
    model,
    customerLlms,
    voice,
    prices: config.llm.prices,
    publicUrl: config.http.publicUrl,
    traceUrl: traceUrlOf(tracing, config.tracing?.traceUrl),
    traceparent: () => tracing.active()?.traceparent ?? null,
    pump,
    scenes: new KeptScenes(systemClock),
    configurations: createRecentConfigurations(systemClock),
  };
  return {
    common,
    http,
    conversation,
    accounts: composeCarriers(config, metrics),
    recordings: countingFailures(createRecordingActivities({ ...common, files }), metrics),
  };
}

type Shared = ReturnType<typeof composeShared>;

function callActivities(
  { config, metrics, secrets }: ActivityParts,
  { common, http, conversation, accounts, recordings }: Shared,
): object {
  return {
    ...measuredCallActivities(createCallActivities({ ...conversation, http, reportCallEnd }), metrics),
    ...measuredTelephonyActivities(
      createTelephonyActivities({
        ...common,
        secrets,
        accounts,
        http,
        checkBeforeDial: (call) => lastCheck(common, call),
        limits: config.callLimits,
        publicUrl: config.http.publicUrl,
      }),
      metrics,
    ),
    ...recordings,
  };
}

function deliveryActivities(
  { config, metrics, db, secrets, temporal, files }: ActivityParts,
  { common, http, conversation, accounts, recordings }: Shared,
): object {
  const histories = createHistories({ temporal });
  return {
    ...measuredDeliveryActivities(
      createDeliveryActivities({
        ...common,
        secrets,
        http,
        sign: signWebhook,
        timeoutMs: config.customerUrls.webhookTimeoutMs,
      }),
      metrics,
    ),
    ...countingFailures(createDrainActivities({ db }), metrics),
    ...countingFailures(
      createReconcileActivities({
        ...conversation,
        accounts,
        executions: createExecutions({ temporal }),
        campaignRuns: createCampaignRuns({ temporal }),
        imports: createImportRuns({ temporal }),
      }),
      metrics,
    ),
    ...recordings,
    ...countingFailures(createErasureActivities({ ...common, files, histories }), metrics),
    ...measuredRetentionActivities(createRetentionActivities({ ...common, files, histories }), metrics),
  };
}

/** Starts the pump of webhooks. */
export function startPump({
  config,
  log,
  metrics,
  tracing = noTracing,
  db,
  secrets,
  http,
  temporal,
}: ActivityParts): DeliveryPump {
  return startDeliveryPump(
    {
      db,
      clock: systemClock,
      ids: randomIds,
      log,
      secrets,
      http: tracedHttp(http, tracing),
      sign: signWebhook,
      timeoutMs: config.customerUrls.webhookTimeoutMs,
      follower: createDeliveryStarter({ temporal }),
      tracing,
      onAttempt: measuredAttempts(metrics),
    },
    { pumpId: randomIds.uuid() },
  );
}

/** The activities of the role `import`, which decrypts nothing. */
export function composeFileImport({
  metrics,
  ...rest
}: Pick<ActivityParts, 'db' | 'log' | 'metrics' | 'files'>): object {
  return countingFailures(
    createFileImportActivities({
      ...rest,
      clock: systemClock,
      ids: randomIds,
      contactFiles: createContactFiles(),
    }),
    metrics,
  );
}

/**
 * Dependencies of the pacer. It also starts imports, because a directory is imported before its first
 * campaign dials.
 */
function paceDeps({
  config,
  files,
  temporal,
  ...rest
}: Pick<ActivityParts, 'config' | 'db' | 'log' | 'secrets' | 'temporal' | 'files'> & {
  accounts: Carriers;
}): PaceDeps {
  const common = { ...rest, clock: systemClock, ids: randomIds };
  const directories = {
    files,
    contactFiles: createContactFiles(),
    imports: createImportRuns({ temporal }),
    maxBytes: config.directoryMaxBytes,
  };
  return {
    ...common,
    carriers: new Set(createCarrierRegistry().providers),
    calls: createCallStarter({ temporal }),
    limits: config.callLimits,
    startImport: async ({ organizationId, directoryId }) =>
      void (await startImport({
        ctx: { ...common, organizationId, actor: { kind: 'system', name: 'campaigns' } },
        deps: directories,
        input: { directoryId },
      })),
  };
}

/** Accounts at the carrier. */
export function composeCarriers(
  { carrierUrls }: Pick<ActivityParts['config'], 'carrierUrls'>,
  metrics: ActivityParts['metrics'],
): Carriers {
  return measuredCarriers(createCarrierRegistry().accounts(carrierUrls), metrics);
}

/** A link to the active trace; null without tracing or a template. */
function traceUrlOf(tracing: Tracing, template: string | undefined): () => string | null {
  return () => {
    const trace = tracing.active();
    return template === undefined || trace?.isSampled !== true
      ? null
      : template.replaceAll('{trace_id}', trace.traceId);
  };
}

/** Opens the pool once MySQL is available: a worker that starts before its database waits for it. */
export async function connectMysqlWhenThere({
  url,
  log,
  signal,
  poolSize,
  retryDelayMs = 1000,
}: {
  url: string;
  log: Logger;
  signal: AbortSignal;
  poolSize?: number;
  retryDelayMs?: number;
}): Promise<DataSource> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await createDataSource({ url, ...(poolSize === undefined ? {} : { poolSize }) });
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      if (attempt === 1 || attempt % 30 === 0)
        log.warn({ attempt, fault: error.message }, 'MySQL is not available yet; retrying');
    }
    await pause(retryDelayMs, signal);
  }
}
