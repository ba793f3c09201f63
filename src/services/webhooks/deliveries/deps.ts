import type { DataSource } from 'typeorm';
import type { CustomerHttpPort } from '../../../providers/http/port.ts';
import type { WebhookSigner } from '../../../providers/http/webhook-signer.ts';
import type { SecretBox } from '../../../providers/secrets/port.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Ids } from '../../../runtime/ids.ts';
import type { Logger } from '../../../runtime/logger.ts';

/** What deliveries need. */
export interface DeliveryDeps {
  db: DataSource;
  clock: Clock;
  ids: Ids;
  log: Logger;
  secrets: SecretBox;
  http: CustomerHttpPort;
  sign: WebhookSigner;
  /** Timeout of one whole attempt, milliseconds (contract 9.4: 20 s). */
  timeoutMs: number;
}
