import { calls } from '../../db/tables/calls.ts';
import { NotFoundError } from '../../domain/errors.ts';
import type { CallRef, ConversationDeps } from './deps.ts';

/** `startedAt` (ISO 8601) is the call's one moment: every template of it is rendered for that moment (contract 7.3). */
export type Admission = { kind: 'admitted'; startedAt: string } | { kind: 'refused' };

/**
 * `pending → admitted`, by compare-and-set: against the API, which refuses a call it could not start, and against a second start
 * of the same call. Asked again by its own Workflow it answers the same.
 */
export async function admitCall({ deps, input }: { deps: ConversationDeps; input: CallRef }): Promise<Admission> {
  const { callId: id, organizationId } = input;
  const rows = deps.db.getRepository(calls);
  await rows.update({ id, organizationId, state: 'pending' }, { state: 'admitted', startedAt: deps.clock.now() });
  const call = await rows.findOneBy({ id, organizationId });
  if (call === null) throw new NotFoundError('The call does not exist');
  if (call.state !== 'admitted' || call.startedAt === null) return { kind: 'refused' };
  return { kind: 'admitted', startedAt: call.startedAt.toISOString() };
}
