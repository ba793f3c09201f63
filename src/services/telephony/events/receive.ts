import { acrossOrganizations, findRow, type Where } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { phoneLegs, type PhoneLegRow } from '../../../db/tables/phone-legs.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { CarrierEventRow } from '../../../db/tables/carrier-events.ts';
import { believe, type Believed } from './believe.ts';
import { deliverEvent } from './deliver.ts';
import type { CarrierEventDeps, SentWebhook } from './deps.ts';
import { storeEvent } from './store.ts';

/** What became of a webhook: kept, or why not. */
export type EventReceipt = 'kept' | 'unknown_call' | Exclude<Believed['kind'], 'message'>;

/**
 * An event of the call of that id (contract 12.4): believed by its signature, kept once under the carrier's
 * id of it, then told to the call beside the answer. Whoever sends it has no organization: the call says
 * which one it is. Throws UnavailableError when it cannot be kept; the carrier then sends it again.
 */
export async function receiveCallEvent(
  deps: CarrierEventDeps,
  { callId, webhook }: { callId: number; webhook: SentWebhook },
): Promise<EventReceipt> {
  const call = await findRow(
    acrossOrganizations(deps.db, 'the carrier names a call, which says whose it is'),
    calls,
    { id: callId },
  );
  const leg =
    call === null
      ? null
      : await findRow(deps.db.manager, phoneLegs, {
          organizationId: call.organizationId,
          callId,
          role: 'main',
        });
  return leg === null ? 'unknown_call' : await receive(deps, leg, webhook);
}

/** The same of a leg that a transfer dials, by our reference to it (contract 12.7). */
export async function receiveTransferEvent(
  deps: CarrierEventDeps,
  { reference, webhook }: { reference: string; webhook: SentWebhook },
): Promise<EventReceipt> {
  return await receiveFor(deps, { reference, role: 'transfer' }, webhook);
}

/** The same of a leg by the carrier's id. */
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
    acrossOrganizations(deps.db, 'the carrier names a leg, which says whose it is'),
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
  const believed = await believe(deps, webhook, { organizationId, configurationId });
  if (believed.kind !== 'message') return believed.kind;
  const event = await inTransaction(deps.db, (tx) =>
    storeEvent(tx, deps, { organizationId, callId, message: believed.message, raw: webhook.raw }),
  );
  if (event.deliveredAt === null) deliverBeside(deps, event);
  return 'kept';
}

/**
 * The carrier waits 2 s for its answer, and the event is safe: who cannot be told now is told by
 * `redeliverEvents`.
 */
function deliverBeside(deps: CarrierEventDeps, event: CarrierEventRow): void {
  deliverEvent(deps, event).catch((error: unknown) =>
    deps.log.warn(
      { err: error, callId: event.callId },
      'An event of a carrier waits: its call could not be told',
    ),
  );
}
