import { validationRecord } from '../../../contract/lax/records.ts';
import type { RequestedIntervention } from '../../../contract/interventions.ts';
import { findRow, getRow } from '../../../db/rows.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import { auditEvents } from '../../../db/tables/audit-events.ts';
import { calls, type CallRow } from '../../../db/tables/calls.ts';
import type { Intervention } from '../../../domain/call/intervention.ts';
import { NotFoundError, PreconditionError, ValidationError } from '../../../domain/errors.ts';
import { nodeOf } from '../../../domain/graph/model.ts';
import type { CallStarter } from '../../../temporal/port.ts';
import { appendAudit, once, type ServiceContext, wireTimestamp, write } from '../../kernel/index.ts';
import { auditActions } from './interventions.ts';

/**
 * Asks a live spoken call to do something (contract 6.12), once per Idempotency-Key. Returns when the call has accepted
 * it. Throws NotFoundError, PreconditionError for a call that cannot do it now, ValidationError for an unknown node,
 * UnavailableError when Temporal is unavailable or no worker answers.
 */
export async function intervene({
  ctx,
  starter,
  input: { agentId, callId, intervention },
}: {
  ctx: ServiceContext;
  starter: Pick<CallStarter, 'intervene' | 'cancelCall'>;
  input: { agentId: number; callId: number; intervention: Intervention };
}): Promise<RequestedIntervention> {
  const { organizationId } = ctx;
  const call = await findRow(ctx.db, calls, { id: callId, agentId, organizationId });
  if (call === null) throw new NotFoundError('Workflow run not found');
  requireLive(call, intervention);
  if (intervention.kind === 'goto') await requireNode(ctx, call, intervention.nodeId);
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
        return { id, answer: { uuid, createdAt } };
      },
      again: (id) => findRow(tx, auditEvents, { id, organizationId }),
    }),
  );
  const asked = isUnanswered(call)
    ? await starter.cancelCall(call.uuid)
    : await starter.intervene({ callUuid: call.uuid, intervention, updateId: `intervention-${entry.uuid}` });
  if (asked === 'gone') throw over();
  return { id: entry.uuid, action: intervention.kind, requested_at: wireTimestamp(entry.createdAt) };
}

/** Without what was said. */
function changesOf(intervention: Intervention): Record<string, unknown> {
  switch (intervention.kind) {
    case 'hang_up':
      return { politely: intervention.politely };
    case 'goto':
      return { node_id: intervention.nodeId };
    case 'say':
    case 'whisper':
    case 'pause':
    case 'resume':
      return {};
  }
}

const isUnanswered = ({ state }: CallRow): boolean => state === 'pending' || state === 'admitted';

const over = () => new PreconditionError('The call is over.');

function requireLive(call: CallRow, { kind }: Intervention): void {
  if (call.channel === 'text')
    throw new PreconditionError(
      'This is a text session, which has no agent that speaks. End it by its own route.',
    );
  if (call.state === 'created') throw new PreconditionError('The call has not begun.');
  if (call.state === 'ended' || call.state === 'refused') throw over();
  if (call.state === 'ending') throw new PreconditionError('The call is ending.');
  if (isUnanswered(call) && kind !== 'hang_up')
    throw new PreconditionError('The call is not answered yet. It can only be hung up.');
}

async function requireNode(
  { db, organizationId }: ServiceContext,
  call: CallRow,
  nodeId: string,
): Promise<void> {
  const { definition, number } = await getRow(db, agentVersions, { id: call.versionId, organizationId });
  if (nodeOf(definition, nodeId) !== null) return;
  const fault = `Version ${number}, which the call is pinned to, has no conversation node with this id`;
  const record = { type: 'value_error', msg: `Value error, ${fault}`, input: nodeId, ctx: { error: {} } };
  throw new ValidationError(fault, { detail: [validationRecord(['body', 'node_id'], record)] });
}
