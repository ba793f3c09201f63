import { Webhook } from 'standardwebhooks';

/** Signs one message; returns the value of `webhook-signature`. */
export type WebhookSigner = (message: SignedMessage) => string;

export interface SignedMessage {
  /** `webhook-id`, the same on every attempt. */
  id: string;
  /** The time of this attempt; `webhook-timestamp` is its whole seconds. */
  at: Date;
  /** The exact text of the body; empty without a body. */
  body: string;
  /**
   * Every live `whsec_...` secret of the organization; during a rotation receivers accept any of the
   * signatures.
   */
  secrets: readonly string[];
}

/**
 * Standard Webhooks (contract 9.2): `v1,<HMAC-SHA256 of id.timestamp.body>`, one per secret, separated by a
 * space.
 */
export const signWebhook: WebhookSigner = ({ id, at, body, secrets }) =>
  secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' ');
