import type { DataSource } from 'typeorm';
import type { WebhookSecret } from '../../../contract/webhook-secrets.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { liveRows, openSecret } from './internal.ts';

/** The live webhook secrets, oldest first. */
export async function listWebhookSecrets({
  ctx,
  secrets,
}: {
  ctx: ServiceContext;
  secrets: SecretBox;
}): Promise<WebhookSecret[]> {
  const rows = await liveRows(ctx.db.manager, ctx.organizationId);
  return rows.map((row) => openSecret(row, secrets));
}

/** The texts of the live secrets, for signing. */
export async function liveWebhookSecrets({
  db,
  secrets,
  organizationId,
}: {
  db: DataSource;
  secrets: SecretBox;
  organizationId: number;
}): Promise<string[]> {
  const rows = await liveRows(db.manager, organizationId);
  return rows.map((row) => openSecret(row, secrets).secret);
}
