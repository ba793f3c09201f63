import type { RequestedErasure } from '../../../contract/calls.ts';
import { findRow, getRow } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { organizations } from '../../../db/tables/organizations.ts';
import { NotFoundError, PreconditionError } from '../../../domain/errors.ts';
import type { ErasureStarter } from '../../../temporal/erasure-port.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import { isErased } from './erase-requested-call.ts';
import { isOver } from './lock-call.ts';

/**
 * Begins the erasure of one ended call of that agent. An erasure that is under way goes on; a completed one is
 * answered. Throws NotFoundError, PreconditionError for a live call, UnavailableError.
 */
export async function requestCallErasure({
  ctx,
  starter,
  input,
}: {
  ctx: ServiceContext;
  starter: ErasureStarter;
  input: { agentId: number; callId: number };
}): Promise<RequestedErasure> {
  const { organizationId } = ctx;
  const call = await findRow(ctx.db, calls, { id: input.callId, agentId: input.agentId, organizationId });
  if (call === null) throw new NotFoundError('Workflow run not found');
  // guarantee: only-ended-calls-are-erased
  if (!isOver(call)) throw new PreconditionError('The call is still live. End it first.');
  const { id: callId, uuid: callUuid } = call;
  if (await isErased(ctx.db.manager, { callId, organizationId })) return { state: 'erased' };
  const { uuid: organizationUuid } = await getRow(ctx.db, organizations, { id: organizationId });
  await write(ctx, (tx) =>
    appendAudit(tx, { action: 'call.erase_requested', subjectKind: 'call', subjectId: callId }),
  );
  await starter.start({ callId, callUuid, organizationId, organizationUuid });
  return { state: 'erasing' };
}
