import type { WebhookEndpoint } from '../../../contract/webhook-endpoints.ts';
import { judgeEndpoint, shownAddress } from '../../../domain/delivery/endpoint-health.ts';
import { wireTimestamp } from '../../kernel/index.ts';
import type { KnownEndpoint } from './known.ts';

export interface Backlog {
  /** Number of deliveries that wait for the endpoint. */
  waiting: number;
  /** Null if none of them has a time. */
  nextAttemptAt: Date | null;
}

/** An endpoint as its organization sees it. `offBy` is the uuid of the delivery that it answered with 410. */
export function toWebhookEndpoint(
  { key, agentId, agentName, nodeId, nodeName, url, node, used, off }: KnownEndpoint,
  { waiting, nextAttemptAt, offBy }: Backlog & { offBy: string | null },
): WebhookEndpoint {
  const attempts = used?.attempts ?? [];
  const { state, failingSince, medianAnswerMs } = judgeEndpoint(attempts, { isOff: off !== null });
  const lastAttempt = attempts.at(-1);
  return {
    id: key,
    workflow_id: agentId,
    workflow_name: agentName,
    node_id: nodeId,
    node_name: nodeName,
    address: shownAddress(url),
    is_published: node !== null,
    state,
    failing_since: failingSince === null ? null : wireTimestamp(failingSince),
    switched_off_at: off === null ? null : wireTimestamp(off.switchedOffAt),
    delivery_id: offBy,
    waiting,
    next_attempt_at: nextAttemptAt === null ? null : wireTimestamp(nextAttemptAt),
    last_attempt_at: lastAttempt === undefined ? null : wireTimestamp(lastAttempt.at),
    median_answer_ms: medianAnswerMs,
    attempts: attempts.map(({ at, result }) => ({ at: wireTimestamp(at), result })),
  };
}

/** The body of a test request. */
export function toTestBody({ agentId, agentName, nodeId, nodeName }: KnownEndpoint): string {
  return JSON.stringify({
    test: true,
    workflow_id: agentId,
    workflow_name: agentName,
    node_id: nodeId,
    node_name: nodeName,
  });
}
