import { IsNull, type EntityManager } from 'typeorm';
import { findRows } from '../../../db/rows.ts';
import { webhookSecrets, type WebhookSecretRow } from '../../../db/tables/webhook-secrets.ts';
import type { WebhookSecret } from '../../../contract/webhook-secrets.ts';
import type { SecretBox, SecretPlace } from '../../../providers/secrets/port.ts';
import { toWebhookSecret } from './mapper.ts';

export function secretPlace(organizationId: number): SecretPlace {
  return { table: 'webhook_secrets', column: 'secret_encrypted', organizationId };
}

/** The live secrets, oldest first, so that signatures keep their order when a secret is added. */
export async function liveRows(manager: EntityManager, organizationId: number): Promise<WebhookSecretRow[]> {
  return await findRows(
    manager,
    webhookSecrets,
    { organizationId, retiredAt: IsNull() },
    { order: { createdAt: 'ASC', id: 'ASC' } },
  );
}

/** A row as its organization sees it. */
export function openSecret(
  { uuid, organizationId, secretEncrypted, createdAt }: WebhookSecretRow,
  secrets: SecretBox,
): WebhookSecret {
  return toWebhookSecret({
    uuid,
    secret: secrets.open(secretEncrypted, secretPlace(organizationId)),
    createdAt,
  });
}
