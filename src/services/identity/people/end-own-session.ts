import { actingUserId, appendAudit, type ServiceContext, type Write } from '../../kernel/index.ts';
import { endSessions, ownSession } from '../users/sessions.ts';

/**
 * Ends the session of the request, which another one replaces: a session is of one organization for its life.
 * Throws PreconditionError (400) for a request with an API key.
 */
export async function endOwnSession(tx: Write, ctx: ServiceContext): Promise<void> {
  const sessionId = ownSession(ctx);
  await endSessions(tx, ctx, { userId: actingUserId(ctx), only: sessionId });
  await appendAudit(tx, { action: 'session.ended', subjectKind: 'session', subjectId: sessionId });
}
