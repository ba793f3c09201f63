import type { WebhookDelivery, WebhookDeliveryDetail } from '../../../contract/webhook-deliveries.ts';
import type { DeliveryRow } from '../../../db/tables/deliveries.ts';
import type { DeliveryAttemptRow } from '../../../db/tables/delivery-attempts.ts';
import { isSecretHeader } from '../../../domain/delivery/masking.ts';
import { shownSecret } from '../../../domain/secrets/sealed-text.ts';
import { wireTimestamp } from '../../kernel/index.ts';
import { bodyOf, standingHeaders } from './request.ts';

/** A delivery as its organization sees it in a list (contract 9.4). */
export function toWebhookDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.uuid,
    workflow_id: row.agentId,
    run_id: row.callId,
    node_id: row.nodeId,
    state: row.state,
    method: row.method,
    url: row.url,
    attempt_count: row.attemptCount,
    last_status_code: row.lastStatusCode,
    last_error: row.lastError,
    next_attempt_at: row.nextAttemptAt === null ? null : wireTimestamp(row.nextAttemptAt),
    created_at: wireTimestamp(row.createdAt),
    finished_at: row.finishedAt === null ? null : wireTimestamp(row.finishedAt),
    erased_at: row.erasedAt === null ? null : wireTimestamp(row.erasedAt),
  };
}

/**
 * A delivery with its attempts and request. Masks the values of headers that look secret, and never reads a
 * credential's header.
 */
export function toWebhookDeliveryDetail(
  row: DeliveryRow,
  attempts: readonly DeliveryAttemptRow[],
): WebhookDeliveryDetail {
  return {
    ...toWebhookDelivery(row),
    request_headers: shownHeaders({
      deliveryUuid: row.uuid,
      callId: row.callId,
      customHeaders: row.headers,
      credentialHeaders: {},
    }),
    credential_uuid: row.credentialUuid,
    body: bodyOf(row),
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      state: attempt.state,
      started_at: wireTimestamp(attempt.startedAt),
      duration_ms: attempt.durationMs,
      status_code: attempt.statusCode,
      error: attempt.error,
      response_excerpt: attempt.responseExcerpt,
    })),
  };
}

/** The headers that stay the same for all attempts; values that look secret are masked. */
export function shownHeaders(
  parts: Parameters<typeof standingHeaders>[0],
): { name: string; value: string }[] {
  return Object.entries(standingHeaders(parts)).map(([name, value]) => ({
    name,
    value: isSecretHeader(name) ? shownSecret(value) : value,
  }));
}
