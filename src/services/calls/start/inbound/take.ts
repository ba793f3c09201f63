import type { EntityManager } from 'typeorm';
import { findRow, getRow, insertRow, updateRows } from '../../../../db/rows.ts';
import { agents } from '../../../../db/tables/agents.ts';
import { agentVersions } from '../../../../db/tables/agent-versions.ts';
import { calls, type CallRow } from '../../../../db/tables/calls.ts';
import { carrierEvents } from '../../../../db/tables/carrier-events.ts';
import { phoneLegs } from '../../../../db/tables/phone-legs.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import { callName } from '../../../../domain/call/names.ts';
import { AppError, DayLimitError, LimitError } from '../../../../domain/errors.ts';
import { legReference } from '../../../../domain/telephony/client-state.ts';
import { hasRequired } from '../../../../domain/telephony/credentials.ts';
import type { CarrierMessage } from '../../../../providers/carrier/port.ts';
import { requireActive, requireRunnable, type RunnableVersion } from '../../../agents/index.ts';
import { appendAudit, inTurn, type ServiceContext, onBehalfOf } from '../../../kernel/index.ts';
import { callInputOf } from '../call-input.ts';
import { freshCall } from '../fresh-call.ts';
import {
  readWebhook,
  receiveLegEvent,
  storeEvent,
  type SentWebhook,
  openCredentials,
} from '../../../telephony/index.ts';
import { requireFreeLine } from '../free-line.ts';
import { requireQuota } from '../../../models/index.ts';
import { phoneChannel } from '../phone-channel.ts';
import type { InboundDeps, InboundRefusal } from './deps.ts';
import { findCalled, type Called } from './find-called.ts';

/** The outcome of a carrier event at the address for incoming calls (contract 12.5). */
export type Taking =
  | { kind: 'taken' }
  /** An event that needs no action. */
  | { kind: 'ignored' }
  /** Not an event of a known carrier. */
  | { kind: 'not_recognized' }
  | { kind: 'refused'; reason: InboundRefusal; message: string }
  | { kind: 'unverified' };

/**
 * Takes an incoming call with the published version of its number's agent. A repeated event finds the call
 * that it made. The checks are in the order of contract 12.5. Throws UnavailableError when MySQL or Temporal
 * is unavailable: the carrier then sends the event again.
 */
export async function takeInboundCall(deps: InboundDeps, webhook: SentWebhook): Promise<Taking> {
  const recognized = recognize(deps, webhook);
  if (recognized === null) return { kind: 'not_recognized' };
  const { provider, message } = recognized;
  if (message.what?.kind !== 'initiated') return await passOn(deps, message, webhook);
  if (message.direction !== 'inbound') return { kind: 'ignored' };
  const called = await findCalled(deps, { ...message, provider });
  if (called === null)
    return refusal(
      'PHONE_NUMBER_NOT_CONFIGURED',
      'No active phone number of a telephony configuration matches the call',
    );
  const { organizationId, inboundAgentId: agentId } = called.number;
  if (agentId === null)
    return refusal(
      'PHONE_NUMBER_NOT_CONFIGURED',
      'No agent answers calls to this number; set inbound_workflow_id',
    );
  const reading = await readWebhook(deps, webhook, {
    organizationId,
    configurationId: called.configuration.id,
  });
  if (reading.kind !== 'message') return { kind: 'unverified' };
  try {
    const insert = (tx: EntityManager) => insertOnce(tx, deps, { called, agentId, message, webhook });
    const call = await inTurn({ db: deps.db, organizationId }, () => inTransaction(deps.db, insert));
    await start(deps, call, { called, message });
    return { kind: 'taken' };
  } catch (error) {
    const refused = readRefusal(error);
    if (refused === null) throw error;
    await rejectCall(deps, called, { message, isBusy: error instanceof LimitError });
    return refused;
  }
}

/** All carriers share one address: the first carrier whose format matches is the sender. */
function recognize(
  { webhooks }: InboundDeps,
  { raw }: SentWebhook,
): { provider: string; message: CarrierMessage } | null {
  for (const [provider, { read }] of webhooks) {
    const message = read(raw);
    if (message !== null) return { provider, message };
  }
  return null;
}

/** Handles a later event of a call, which arrives here because its connection has this address. */
async function passOn(deps: InboundDeps, { leg }: CarrierMessage, webhook: SentWebhook): Promise<Taking> {
  const receipt = await receiveLegEvent(deps, { callControlId: leg.callControlId, webhook });
  return receipt === 'unverified' ? { kind: 'unverified' } : { kind: 'ignored' };
}

interface Incoming {
  called: Called;
  agentId: number;
  message: CarrierMessage;
  webhook: SentWebhook;
}

/**
 * Inserts the row of the call. The second of two events of one call finds the first one's row, because each
 * locks the organization's row.
 */
async function insertOnce(tx: EntityManager, deps: InboundDeps, incoming: Incoming): Promise<CallRow> {
  const { called, agentId, message } = incoming;
  const { organizationId } = called.number;
  const ctx = contextOf(deps, organizationId);
  const known = await findCall(tx, organizationId, message);
  if (known !== null) return known;
  const target = await publishedVersion(tx, ctx, agentId);
  await requireFreeLine(tx, ctx, { limits: deps.limits, direction: 'inbound' });
  const raced = await findCall(tx, organizationId, message);
  if (raced !== null) return raced;
  // guarantee: used-up-quota-refuses-incoming-calls
  await requireQuota(tx, ctx, {
    quotas: deps.limits?.quotas,
    versionId: target.version.id,
    isSpoken: true,
  });

  const call = await insertCall(tx, ctx, target, incoming);
  await insertLeg(tx, deps, call, incoming);
  await insertEvent(tx, deps, call, incoming);
  await appendAudit(onBehalfOf(tx, ctx), {
    action: 'call.received',
    subjectKind: 'call',
    subjectId: call.id,
    changes: { agentId, version: target.version.number, configurationId: called.configuration.id },
  });
  return call;
}

function contextOf({ db, clock, ids, log, secrets }: InboundDeps, organizationId: number): ServiceContext {
  return { organizationId, actor: { kind: 'system', name: 'carrier' }, db, clock, ids, log, secrets };
}

async function findCall(
  tx: EntityManager,
  organizationId: number,
  { leg: { callControlId } }: CarrierMessage,
): Promise<CallRow | null> {
  const leg = await findRow(tx, phoneLegs, { organizationId, callControlId });
  return leg === null ? null : await getRow(tx, calls, { id: leg.callId, organizationId });
}

async function insertCall(
  tx: EntityManager,
  ctx: ServiceContext,
  target: RunnableVersion,
  { called: { number, configuration }, message, webhook }: Incoming,
): Promise<CallRow> {
  const row = freshCall(ctx, target, {
    name: callName('inbound', (below) => ctx.ids.integer(below)),
    mode: configuration.provider,
    channel: 'phone',
    direction: 'inbound',
    source: 'inbound',
    state: 'pending',
    isTest: false,
    configurationId: configuration.id,
    phoneNumberId: number.id,
    callerNumber: message.from,
    calledNumber: message.to,
    initialContext: {
      caller_number: message.from,
      called_number: message.to,
      direction: 'inbound',
      provider: configuration.provider,
      telephony_configuration_id: configuration.id,
    },
    annotations: {},
  });
  return await insertRow(tx, calls, {
    ...row,
    logs: { inbound_webhook: inboundLog(message, number.id, webhook) },
  });
}

async function insertLeg(
  tx: EntityManager,
  { clock }: InboundDeps,
  { id: callId, uuid, organizationId }: CallRow,
  { called: { configuration }, message: { leg } }: Incoming,
): Promise<void> {
  await insertRow(tx, phoneLegs, {
    organizationId,
    callId,
    role: 'main',
    configurationId: configuration.id,
    reference: legReference(uuid, { role: 'main', attempt: 1 }),
    ...leg,
    state: 'ringing',
    hangupCause: null,
    detection: null,
    dialedAt: null,
    answeredAt: null,
    endedAt: null,
    hangUpFrom: null,
    createdAt: clock.now(),
  });
}

/** Stores the event as delivered: it needs no signal, because the Workflow starts with it. */
async function insertEvent(
  tx: EntityManager,
  deps: InboundDeps,
  { id: callId, organizationId }: CallRow,
  { message, webhook }: Incoming,
): Promise<void> {
  const event = await storeEvent(tx, deps, { organizationId, callId, message, raw: webhook.raw });
  await updateRows(tx, carrierEvents, {
    where: { id: event.id, organizationId },
    change: { deliveredAt: deps.clock.now() },
  });
}

/** Contract 6.7. */
function inboundLog(
  { connectionId }: CarrierMessage,
  numberId: number,
  { raw }: SentWebhook,
): Record<string, unknown> {
  const body: unknown = JSON.parse(Buffer.from(raw).toString('utf8'));
  return {
    account_id: connectionId,
    from_country: null,
    to_country: null,
    from_phone_number_id: numberId,
    raw_webhook_data: body,
  };
}

async function publishedVersion(
  tx: EntityManager,
  ctx: ServiceContext,
  agentId: number,
): Promise<RunnableVersion> {
  const { organizationId } = ctx;
  const agent = await getRow(tx, agents, { id: agentId, organizationId });
  requireActive(agent);
  const version =
    agent.publishedVersionId === null
      ? null
      : await findRow(tx, agentVersions, { id: agent.publishedVersionId, agentId, organizationId });
  if (version === null) throw new AppError('not_found', 'Workflow has no published definition');
  return await requireRunnable(tx, ctx, { agent, version });
}

/** Starts the call, unless it has ended or was refused. */
async function start(
  deps: InboundDeps,
  call: CallRow,
  { called, message }: Pick<Incoming, 'called' | 'message'>,
): Promise<void> {
  if (call.state !== 'pending') return;
  const phone = {
    provider: called.configuration.provider,
    direction: 'inbound' as const,
    configurationId: called.configuration.id,
    phoneNumberId: called.number.id,
    ringing: message.leg,
  };
  await deps.calls.takeInbound(
    await callInputOf(deps.db.manager, call, (settings) => phoneChannel(settings, phone)),
    message.eventId,
  );
}

function readRefusal(error: unknown): Extract<Taking, { kind: 'refused' }> | null {
  if (error instanceof DayLimitError) return refusal('QUOTA_EXCEEDED', error.message);
  if (error instanceof LimitError) return refusal('CONCURRENT_CALL_LIMIT', error.message);
  if (error instanceof AppError && (error.code === 'not_found' || error.code === 'validation'))
    return refusal('WORKFLOW_NOT_FOUND', error.message);
  return null;
}

/**
 * Rejects the call at the carrier, which ignores our HTTP answer: the phone would keep ringing. When this
 * fails, it rings until the carrier gives up.
 */
async function rejectCall(
  deps: InboundDeps,
  { configuration }: Called,
  { message: { leg, eventId }, isBusy }: { message: CarrierMessage; isBusy: boolean },
): Promise<void> {
  const { provider } = configuration;
  const credentials = openCredentials(deps.secrets, configuration);
  if (!hasRequired(provider, credentials) || deps.accounts === undefined) return;
  try {
    await deps.accounts({ provider, credentials }).reject({
      callControlId: leg.callControlId,
      commandId: `reject-${eventId}`,
      cause: isBusy ? 'busy' : 'rejected',
    });
  } catch (error) {
    deps.log.warn(
      { err: error, configurationId: configuration.id },
      'An incoming call could not be rejected: it rings until the carrier gives up',
    );
  }
}

const refusal = (reason: InboundRefusal, message: string): Extract<Taking, { kind: 'refused' }> => ({
  kind: 'refused',
  reason,
  message,
});
