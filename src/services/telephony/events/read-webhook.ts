import { findRow } from '../../../db/rows.ts';
import { telephonyConfigurations } from '../../../db/tables/telephony-configurations.ts';
import { generationIn } from '../../../domain/telephony/stream-url.ts';
import type { CarrierMessage } from '../../../providers/carrier/port.ts';
import { openCredentials } from '../accounts/configurations.ts';
import type { CarrierEventDeps, SentWebhook } from './deps.ts';

/**
 * The message of a webhook, if the connection's key verifies its signature. A connection without a key
 * accepts no webhook (contract 12.4).
 */
export type WebhookReading =
  | { kind: 'message'; message: CarrierMessage }
  | { kind: 'unverified' }
  | { kind: 'unreadable' };

/**
 * Verifies and reads a webhook. `configurationId` is the connection of the call, or of the number that was
 * called.
 */
export async function readWebhook(
  deps: CarrierEventDeps,
  webhook: SentWebhook,
  { organizationId, configurationId }: { organizationId: number; configurationId: number },
): Promise<WebhookReading> {
  const configuration = await findRow(deps.db.manager, telephonyConfigurations, {
    id: configurationId,
    organizationId,
  });
  const carrier = configuration === null ? undefined : deps.webhooks.get(configuration.provider);
  if (configuration === null || carrier === undefined) return refused(deps, 'no_key', configurationId);
  const credentials = openCredentials(deps.secrets, configuration);
  const flaw = carrier.verify({ ...webhook, credentials, now: deps.clock.now() });
  // guarantee: unsigned-carrier-event-refused
  if (flaw !== null) return refused(deps, flaw, configurationId);
  const message = carrier.read(webhook.raw, generationIn);
  return message === null ? { kind: 'unreadable' } : { kind: 'message', message };
}

function refused({ log }: CarrierEventDeps, flaw: string, configurationId: number): WebhookReading {
  log.warn({ flaw, configurationId }, 'The signature of a carrier webhook could not be verified');
  return { kind: 'unverified' };
}
