import type { WebhookSecret } from '../../../contract/webhook-secrets.ts';
import { wireTimestamp } from '../../kernel/index.ts';

/** A secret as its organization sees it (contract 9.4). */
export function toWebhookSecret({
  uuid,
  secret,
  createdAt,
}: {
  uuid: string;
  secret: string;
  createdAt: Date;
}): WebhookSecret {
  return { id: uuid, secret, created_at: wireTimestamp(createdAt) };
}
