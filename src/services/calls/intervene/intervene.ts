import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { validationRecord } from '../../../contract/lax/records.ts';
import type { RequestedIntervention } from '../../../contract/interventions.ts';
import { findRow, getRow, insertRow } from '../../../db/rows.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { auditEvents } from '../../../db/tables/audit-events.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import { toolRuns } from '../../../db/tables/tool-runs.ts';
import type { Intervention } from '../../../domain/call/intervention.ts';
import { NotFoundError, PreconditionError, ValidationError } from '../../../domain/errors.ts';
import { nodeOf } from '../../../domain/graph/model.ts';
import { dialFaultWords } from '../../../domain/telephony/dial-rule.ts';
import { readDestination } from '../../../domain/telephony/transfer-destination.ts';
import type { CallStarter } from '../../../temporal/port.ts';
import { appendAudit, once, type ServiceContext, wireTimestamp, write } from '../../kernel/index.ts';
import { policyFault, readPolicy } from '../../telephony/index.ts';
import { auditActions } from './interventions.ts';

/** What somebody asks of a call. */
export type Asked =
  | Exclude<Intervention, { kind: 'transfer' }>
  | { kind: 'transfer'; to: string; timeoutSeconds: number };

/**
 * Asks a live spoken call to do something (contract 6.12), once per Idempotency-Key. Returns when the call has accepted
 * it. Throws NotFoundError, PreconditionError for a call that cannot do it now, ValidationError for an unknown node or a
 * destination that is not dialed,
 * UnavailableError when Temporal is unavailable or no worker answers.
 */
export async function intervene({
  ctx,
  starter,
  input: { agentId, callId, intervention },
}: {
  ctx: ServiceContext;
  starter: Pick<CallStarter, 'intervene' | 'cancelCall'>;
  input: { agentId: number; callId: number; intervention: Asked };
}): Promise<RequestedIntervention> {
  const { organizationId } = ctx;
  const call = await findRow(ctx.db, calls, { id: callId, agentId, organizationId });
  if (call === null) throw new NotFoundError('Workflow run not found');
  requireLive(call, intervention);
  if (intervention.kind === 'goto') await requireNode(ctx, call, intervention.nodeId);
  const destination = intervention.kind === 'transfer' ? await readTo(ctx, intervention.to) : null;
  const entry = await write(ctx, (tx) =>
    once(tx, {
      kind: 'intervention',
      make: async () => {
        const { id, uuid, createdAt } = await appendAudit(tx, {
          action: auditActions[intervention.kind],
          subjectKind: 'call',
          subjectId: callId,
          changes: changesOf(intervention),
        });
        if (destination !== null) await keepDestination(tx, call, { requestId: uuid, destination });
        return { id, answer: { uuid, createdAt } };
      },
      again: (id) => findRow(tx, auditEvents, { id, organizationId }),
    }),
  );
  const asked = isUnanswered(call)
    ? await starter.cancelCall(call.uuid)
    : await starter.intervene({
        callUuid: call.uuid,
        intervention: asCallKnows(intervention, entry.uuid),
        updateId: `intervention-${entry.uuid}`,
      });
  if (asked === 'gone') throw over();
  return { id: entry.uuid, action: intervention.kind, requested_at: wireTimestamp(entry.createdAt) };
}

/** A destination is kept in MySQL alone. */
function asCallKnows(asked: Asked, requestId: string): Intervention {
  if (asked.kind !== 'transfer') return asked;
  const { kind, timeoutSeconds } = asked;
  return { kind, requestId, timeoutSeconds };
}

/** Without what was said, and whom it concerns. */
function changesOf(intervention: Asked): Record<string, unknown> {
  switch (intervention.kind) {
    case 'hang_up':
      return { politely: intervention.politely };
    case 'goto':
      return { node_id: intervention.nodeId };
    case 'say':
    case 'whisper':
    case 'transfer':
    case 'pause':
    case 'resume':
      return {};
  }
}

const isUnanswered = ({ state }: CallRow): boolean => state === 'pending' || state === 'admitted';

const over = () => new PreconditionError('The call is over.');

function requireLive(call: CallRow, { kind }: Asked): void {
  if (call.channel === 'text')
    throw new PreconditionError(
      'This is a text session, which has no agent that speaks. End it by its own route.',
    );
  if (call.state === 'created') throw new PreconditionError('The call has not begun.');
  if (call.state === 'ended' || call.state === 'refused') throw over();
  if (call.state === 'ending') throw new PreconditionError('The call is ending.');
  if (isUnanswered(call) && kind !== 'hang_up')
    throw new PreconditionError('The call is not answered yet. It can only be hung up.');
  if (kind === 'transfer' && call.channel !== 'phone')
    throw new PreconditionError('A call in a browser cannot be transferred.');
}

async function requireNode(
  { db, organizationId }: ServiceContext,
  call: CallRow,
  nodeId: string,
): Promise<void> {
  const { definition, number } = await getRow(db, agentVersions, { id: call.versionId, organizationId });
  if (nodeOf(definition, nodeId) !== null) return;
  const fault = `Version ${number}, which the call is pinned to, has no conversation node with this id`;
  throw invalid('node_id', nodeId, fault);
}

/** The destination as it is dialed. Throws ValidationError for one that the organization does not dial. */
async function readTo({ db, organizationId }: ServiceContext, to: string): Promise<string> {
  const destination = readDestination(to);
  if (destination === null)
    throw invalid('to', to, 'This is neither a number with its country code nor a sip: address');
  // guarantee: dial-rule-checked-at-a-supervisors-transfer
  const fault = policyFault(await readPolicy(db.manager, organizationId), destination);
  if (fault !== null) throw invalid('to', to, `This destination is not dialed: ${dialFaultWords[fault]}`);
  return destination;
}

/** Keeps the destination where the dial finds it, and where it is erased with what tools were told. */
async function keepDestination(
  tx: EntityManager,
  { id: callId, organizationId }: CallRow,
  { requestId, destination }: { requestId: string; destination: string },
): Promise<void> {
  const now = new Date();
  await insertRow(tx, toolRuns, {
    organizationId,
    callId,
    branch: 0,
    turnIndex: 0,
    callIndex: supervisorsIndex,
    requestSha256: createHash('sha256').update(requestId).digest('hex'),
    toolUuid: requestId,
    state: 'finished' as const,
    result: JSON.stringify({ destination, custom_message: null }),
    startedAt: now,
    finishedAt: now,
  });
}

/** Behind the indexes of the tools that a turn may call. */
const supervisorsIndex = 2 ** 31;

function invalid(field: string, input: string, fault: string): ValidationError {
  const record = { type: 'value_error', msg: `Value error, ${fault}`, input, ctx: { error: {} } };
  return new ValidationError(fault, { detail: [validationRecord(['body', field], record)] });
}
