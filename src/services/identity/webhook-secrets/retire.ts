import type { RetiredWebhookSecret } from '../../../contract/webhook-secrets.ts';
import { updateRows } from '../../../db/rows.ts';
import { webhookSecrets } from '../../../db/tables/webhook-secrets.ts';
import { NotFoundError, PreconditionError } from '../../../domain/errors.ts';
import { appendAudit, lockOrganization, type ServiceContext, write } from '../../kernel/index.ts';
import { liveRows } from './internal.ts';

/**
 * Retires a secret. Throws NotFoundError for an unknown one, PreconditionError (400) for the last one,
 * because webhooks must be signed.
 */
export async function retireWebhookSecret({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { uuid: string };
}): Promise<RetiredWebhookSecret> {
  return await write(ctx, async (tx) => {
    await lockOrganization(tx, ctx);
    const live = await liveRows(tx, ctx.organizationId);
    const row = live.find((each) => each.uuid === input.uuid);
    if (row === undefined) throw new NotFoundError('Webhook secret not found');
    if (live.length === 1)
      throw new PreconditionError('The only webhook secret cannot be retired; add another first', {
        status: 400,
      });
    await updateRows(tx, webhookSecrets, {
      where: { id: row.id, organizationId: ctx.organizationId },
      change: { retiredAt: ctx.clock.now() },
    });
    await appendAudit(tx, {
      action: 'webhook_secret.retired',
      subjectKind: 'webhook_secret',
      subjectId: row.id,
      subjectKey: row.uuid,
    });
    return { status: 'retired', id: row.uuid };
  });
}
