import type { SignedOut } from '../../../contract/users.ts';
import { actingUserId, appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import { endSessions, ownSession } from './sessions.ts';

/**
 * Ends the session of the request. Throws PreconditionError (400) for a request with an API key.
 */
export async function logOut({ ctx }: { ctx: ServiceContext }): Promise<SignedOut> {
  const sessionId = ownSession(ctx);
  return await write(ctx, async (tx) => {
    await endSessions(tx, ctx, { userId: actingUserId(ctx), only: sessionId });
    await appendAudit(tx, { action: 'session.ended', subjectKind: 'session', subjectId: sessionId });
    return { success: true };
  });
}
