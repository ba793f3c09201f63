import type { WebhookSecret } from '../../../contract/webhook-secrets.ts';
import { getRow, insertRow } from '../../../db/rows.ts';
import { webhookSecrets } from '../../../db/tables/webhook-secrets.ts';
import { PreconditionError } from '../../../domain/errors.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import {
  appendAudit,
  lockOrganization,
  type ServiceContext,
  once,
  type Write,
  write,
} from '../../kernel/index.ts';
import { liveRows, openSecret, secretPlace } from './internal.ts';
import { toWebhookSecret } from './mapper.ts';

/** During a rotation two secrets sign (contract 9.2). */
const maxLive = 2;

/**
 * Creates another webhook secret (`whsec_` and 32 random bytes); every live one signs from now on. Throws
 * PreconditionError (400) if two are already live.
 */
export async function addWebhookSecret({
  ctx,
  secrets,
}: {
  ctx: ServiceContext;
  secrets: SecretBox;
}): Promise<WebhookSecret> {
  return await write(ctx, async (tx) => {
    await lockOrganization(tx, ctx);
    const make = async () => {
      if ((await liveRows(tx, ctx.organizationId)).length >= maxLive)
        throw new PreconditionError('Two webhook secrets are in use; retire one first', { status: 400 });
      return await insertWebhookSecret(tx, { ctx, secrets });
    };
    const again = async (id: number) =>
      openSecret(await getRow(tx, webhookSecrets, { id, organizationId: ctx.organizationId }), secrets);
    return await once(tx, { kind: 'webhook_secret', make, again });
  });
}

/** Only the insertion, for the creation of an organization. */
export async function insertWebhookSecret(
  tx: Write,
  { ctx, secrets }: { ctx: ServiceContext; secrets: SecretBox },
): Promise<{ id: number; answer: WebhookSecret }> {
  const secret = `whsec_${Buffer.from(ctx.ids.secret(32), 'base64url').toString('base64')}`;
  const createdAt = ctx.clock.now();
  const uuid = ctx.ids.uuid();
  const { organizationId } = ctx;
  const secretEncrypted = secrets.seal(secret, secretPlace(organizationId));
  const row = await insertRow(tx, webhookSecrets, {
    uuid,
    organizationId,
    secretEncrypted,
    createdAt,
    retiredAt: null,
  });
  await appendAudit(tx, {
    action: 'webhook_secret.added',
    subjectKind: 'webhook_secret',
    subjectId: row.id,
    subjectKey: row.uuid,
  });
  return { id: row.id, answer: toWebhookSecret({ uuid, secret, createdAt }) };
}
