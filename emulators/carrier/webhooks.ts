import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CarrierLog } from './log.ts';
import { happens, randomOf } from './random.ts';
import { usualDelayMs, type Faults, type Settings } from './settings.ts';
import type { SigningKey } from './signing-key.ts';

export interface CarrierWebhook {
  eventType: string;
  payload: Record<string, unknown>;
  legId: string;
  /** In this order; the second is the failover of the application. */
  addresses: string[];
  /**
   * The pauses before each next attempt at an address, from the command that made the leg. Null: as
   * `settings.webhooks` says.
   */
  retriesMs: readonly number[] | null;
  /** The subject of the fault draw: the same call gets the same faults. */
  subject: string;
  faults: NonNullable<Faults['webhooks']>;
}

interface SenderParts {
  settings: Settings;
  key: SigningKey;
  log: CarrierLog;
  closing: AbortSignal;
}

/** Sends signed events concurrently, in no order, and retries them until they are accepted. */
export class WebhookSender {
  #parts: SenderParts;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  send(webhook: CarrierWebhook): void {
    const { settings } = this.#parts;
    const random = randomOf(settings.seed, webhook.subject, webhook.eventType);
    const { faults } = webhook;
    const event = {
      id: randomUUID(),
      occurredAt: new Date().toISOString(),
      isFirstLost: happens(random, faults.lostFirst ?? 0),
    };
    const drawnMs = happens(random, faults.delay ?? 0) ? Math.round(random() * (faults.delayMs ?? 500)) : 0;
    const delayMs = drawnMs + (faults.lateMs?.[webhook.eventType] ?? 0);
    const copies = happens(random, faults.duplicate ?? 0) ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1)
      void this.#deliver(webhook, event, delayMs).catch(() => undefined);
  }

  async #deliver(
    webhook: CarrierWebhook,
    event: { id: string; occurredAt: string; isFirstLost: boolean },
    delayMs: number,
  ): Promise<void> {
    const { log, closing } = this.#parts;
    if (delayMs > 0) await sleep(delayMs, undefined, { signal: closing, ref: false });
    const pausesMs = this.#pausesMs(webhook.retriesMs);
    let attempt = 0;
    for (const address of webhook.addresses) {
      for (const pauseMs of pausesMs) {
        attempt += 1;
        const outcome =
          event.isFirstLost && attempt === 1
            ? 'lost by fault'
            : await this.#attempt(webhook, event, { address, attempt });
        log.add('webhook', {
          legId: webhook.legId,
          eventId: event.id,
          eventType: webhook.eventType,
          attempt,
          address,
          outcome,
          occurredAt: event.occurredAt,
        });
        if (typeof outcome === 'number' && !isRetried(outcome)) return;
        await sleep(pauseMs, undefined, { signal: closing, ref: false });
      }
    }
    log.add('webhook_given_up', { legId: webhook.legId, eventId: event.id, eventType: webhook.eventType });
  }

  /**
   * The pauses after each attempt at an address. A shortened pause of the carrier also shortens those that a
   * command requests.
   */
  #pausesMs(retriesMs: readonly number[] | null): number[] {
    const { attempts, retryDelayMs } = this.#parts.settings.webhooks;
    if (retriesMs === null) return Array.from({ length: attempts }, () => retryDelayMs);
    return [...retriesMs.map((each) => each * (retryDelayMs / usualDelayMs)), retryDelayMs];
  }

  /** The HTTP status, or the reason of the failure. */
  async #attempt(
    { eventType, payload }: CarrierWebhook,
    { id, occurredAt }: { id: string; occurredAt: string },
    { address, attempt }: { address: string; attempt: number },
  ): Promise<number | string> {
    const { key, settings, closing } = this.#parts;
    const body = JSON.stringify({
      data: { record_type: 'event', event_type: eventType, id, occurred_at: occurredAt, payload },
      meta: { attempt, delivered_to: address },
    });
    const timestamp = String(Math.floor(Date.now() / 1000));
    try {
      const response = await fetch(address, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'simulated-carrier',
          'telnyx-timestamp': timestamp,
          'telnyx-signature-ed25519': key.sign(timestamp, body),
        },
        signal: AbortSignal.any([AbortSignal.timeout(settings.webhooks.timeoutMs), closing]),
      });
      await response.arrayBuffer();
      return response.status;
    } catch (error) {
      return isTimeout(error) ? 'timeout' : 'unreachable';
    }
  }
}

/** Any other 4xx is final: the carrier does not retry it. */
function isRetried(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** By name, because errors of `fetch` may come from another realm, where `instanceof` fails. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Reflect.get(error, 'name') === 'TimeoutError';
}
