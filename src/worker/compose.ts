import type { DataSource } from 'typeorm';
import { createCallActivities } from '../activities/call.ts';
import { createDeliveryActivities } from '../activities/delivery.ts';
import { createDrainActivities } from '../activities/drain.ts';
import { countingFailures, measuredCallActivities, measuredDeliveryActivities } from '../activities/measured.ts';
import { createReconcileActivities } from '../activities/reconcile.ts';
import type { Config } from '../config/env.ts';
import { createDataSource } from '../db/data-source.ts';
import type { WorkerRole } from '../domain/declaration.ts';
import { UnavailableError } from '../domain/errors.ts';
import type { GuardedClient } from '../providers/http/guarded-client.ts';
import { signWebhook } from '../providers/http/webhook-signer.ts';
import { createCustomerLlms } from '../providers/llm/customer.ts';
import { measuredLlm } from '../providers/llm/measured.ts';
import { createOpenAiLlm } from '../providers/llm/openai.ts';
import type { CustomerLlms } from '../providers/llm/port.ts';
import type { SecretBox } from '../providers/secrets/port.ts';
import { systemClock } from '../runtime/clock.ts';
import { randomIds } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { createExecutions } from '../temporal/executions.ts';
import type { TemporalClient } from '../temporal/connection.ts';
import { pause } from './pause.ts';

export interface ActivityParts {
  config: Config;
  log: Logger;
  metrics: Metrics;
  db: DataSource;
  secrets: SecretBox;
  http: GuardedClient;
  temporal: TemporalClient;
}

/** Every role's activities, over the real world. */
export function composeActivities({ config, log, metrics, db, secrets, http, temporal }: ActivityParts): Record<WorkerRole, object> {
  const common = { db, clock: systemClock, ids: randomIds, log };
  const { apiKey, baseUrl, model, prices } = config.llm;
  const llm = measuredLlm(createOpenAiLlm({ apiKey: apiKey ?? '', baseUrl }), { metrics, prices });
  if (llm.simulated) log.warn({ model }, 'The language model is simulated');
  const customers = createCustomerLlms({ http });
  const customerLlms: CustomerLlms = (choice) => measuredLlm(customers(choice), { metrics });
  const conversation = { ...common, llm, model, prices, publicUrl: config.http.publicUrl };
  return {
    call: measuredCallActivities(createCallActivities({ ...conversation, secrets, http, customerLlms }), metrics),
    delivery: {
      ...measuredDeliveryActivities(createDeliveryActivities({ ...common, secrets, http, sign: signWebhook, timeoutMs: config.customerUrls.webhookTimeoutMs }), metrics),
      ...countingFailures(createDrainActivities({ db }), metrics),
      ...countingFailures(createReconcileActivities({ ...conversation, executions: createExecutions({ temporal }) }), metrics),
    },
  };
}

/** The pool, as soon as MySQL is there: a worker that starts before its database waits for it. */
export async function connectMysqlWhenThere({ url, log, signal, retryDelayMs = 1000 }: { url: string; log: Logger; signal: AbortSignal; retryDelayMs?: number }): Promise<DataSource> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await createDataSource({ url });
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      if (attempt === 1 || attempt % 30 === 0) log.warn({ attempt, fault: error.message }, 'MySQL is not usable yet; trying again');
    }
    await pause(retryDelayMs, signal);
  }
}
