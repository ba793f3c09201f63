import { IsNull } from 'typeorm';
import type { SignedOut } from '../../../contract/users.ts';
import { updateRows } from '../../../db/rows.ts';
import { sessions } from '../../../db/tables/sessions.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';

/**
 * Ends the session of the request. Throws PreconditionError (400) for a request with an API key.
 */
export async function logOut({ ctx }: { ctx: ServiceContext }): Promise<SignedOut> {
  const { actor, organizationId } = ctx;
  const sessionId = actor.kind === 'user' ? actor.sessionId : undefined;
  if (sessionId === undefined)
    throw new PreconditionError('An API key has no session; archive it instead', { status: 400 });
  return await write(ctx, async (tx) => {
    await updateRows(tx, sessions, {
      where: { id: sessionId, organizationId, revokedAt: IsNull() },
      change: { revokedAt: ctx.clock.now() },
    });
    await appendAudit(tx, { action: 'session.ended', subjectKind: 'session', subjectId: sessionId });
    return { success: true };
  });
}
