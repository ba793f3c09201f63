import { acrossOrganizations, findRow, type Where } from '../../../db/rows.ts';
import { phoneLegs, type PhoneLegRow } from '../../../db/tables/phone-legs.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { readClientState } from '../../../domain/telephony/client-state.ts';
import type { CarrierEventRow } from '../../../db/tables/carrier-events.ts';
import { readWebhook, type WebhookReading } from './read-webhook.ts';
import { deliverEvent } from './deliver.ts';
import type { CarrierEventDeps, SentWebhook } from './deps.ts';
import { storeEvent } from './store.ts';

/** The fate of a webhook: stored, or the reason why not. */
export type EventReceipt = 'kept' | 'unknown_call' | Exclude<WebhookReading['kind'], 'message'>;

/**
 * Receives an event of a call (contract 12.4): verifies its signature, stores it once under the carrier's
 * event id, and delivers it to the call without delaying the answer. The carrier names no organization: the
 * row of the call's leg does. Throws UnavailableError if the event cannot be stored; the carrier then sends it again.
 */
export async function receiveCallEvent(
  deps: CarrierEventDeps,
  { callId, webhook }: { callId: number; webhook: SentWebhook },
): Promise<EventReceipt> {
  return await receiveFor(deps, { callId, role: 'main' }, webhook);
}

/** Receives an event of a leg that a transfer dialed, by our reference to it (contract 12.7). */
export async function receiveTransferEvent(
  deps: CarrierEventDeps,
  { reference, webhook }: { reference: string; webhook: SentWebhook },
): Promise<EventReceipt> {
  // The column only allows ASCII.
  if (readClientState(reference) === null) return 'unknown_call';
  return await receiveFor(deps, { reference, role: 'transfer' }, webhook);
}

/** Receives an event of a leg, by the carrier's id. */
export async function receiveLegEvent(
  deps: CarrierEventDeps,
  { callControlId, webhook }: { callControlId: string; webhook: SentWebhook },
): Promise<EventReceipt> {
  return await receiveFor(deps, { callControlId }, webhook);
}

async function receiveFor(
  deps: CarrierEventDeps,
  where: Where<PhoneLegRow>,
  webhook: SentWebhook,
): Promise<EventReceipt> {
  const leg = await findRow(
    acrossOrganizations(deps.db, 'the carrier names a leg, whose row names the organization'),
    phoneLegs,
    where,
  );
  return leg === null ? 'unknown_call' : await receive(deps, leg, webhook);
}

async function receive(
  deps: CarrierEventDeps,
  { organizationId, configurationId, callId }: PhoneLegRow,
  webhook: SentWebhook,
): Promise<EventReceipt> {
  const reading = await readWebhook(deps, webhook, { organizationId, configurationId });
  if (reading.kind !== 'message') return reading.kind;
  const event = await inTransaction(deps.db, (tx) =>
    storeEvent(tx, deps, { organizationId, callId, message: reading.message, raw: webhook.raw }),
  );
  if (event.deliveredAt === null) deliverInBackground(deps, event);
  return 'kept';
}

/** The carrier waits 2 s for its answer. `redeliverEvents` delivers the event if this attempt fails. */
function deliverInBackground(deps: CarrierEventDeps, event: CarrierEventRow): void {
  deliverEvent(deps, event).catch((error: unknown) =>
    deps.log.warn(
      { err: error, callId: event.callId },
      'Could not deliver a carrier event to its call; it is delivered again later',
    ),
  );
}
