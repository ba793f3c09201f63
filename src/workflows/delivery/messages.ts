import { defineQuery, defineSignal } from '@temporalio/workflow';

/** One webhook delivery. It holds ids only: address, headers and body stay in MySQL. */
export interface DeliveryInput {
  deliveryUuid: string;
  callUuid: string;
  organizationUuid: string;
  /** Number of the first attempt of this run; above 1 when a delivery is sent again. */
  startedAttempt?: number;
  /** Set when the pump made the first attempt: this run waits for the second. */
  continues?: FailedFirstAttempt;
  /** The first attempt is made although the delivery has ended, because a resend was requested. */
  resend?: true;
  /** Delays before each attempt in milliseconds; replaces the schedule of contract 9.4. */
  schedule?: number[];
}

/** The first attempt of a delivery, which the pump made. */
export interface FailedFirstAttempt {
  /** When the second attempt is due, ISO 8601; the row has it already. */
  nextAttemptAt: string;
  host: string;
  /** Null without an answer. */
  statusCode: number | null;
  /** A sentence without the address and the body. */
  error: string | null;
}

/** What `drainWorkflow` sends again. */
export interface DrainInput {
  organizationUuid: string;
  selection: DeliverySelection;
  /** Row id of the last delivery that was handled; 0 at first. */
  afterId: number;
  /** Number of deliveries that earlier runs of the same drain handled. */
  handled?: number;
}

/** Deliveries of an organization that existed when the drain was requested. Timestamps are ISO 8601. */
export interface DeliverySelection {
  organizationId: number;
  filter: {
    state?: 'pending' | 'succeeded' | 'dead_letter' | undefined;
    agentId?: number | undefined;
    nodeId?: string | undefined;
    callId?: number | undefined;
    from?: string | undefined;
    to?: string | undefined;
    endpointOf?: number | undefined;
    finishedFrom?: string | undefined;
    finishedTo?: string | undefined;
  };
  throughId: number;
}

/** The waiting deliveries of an endpoint, which `backlogWorkflow` wakes. */
export interface BacklogInput {
  organizationUuid: string;
  backlog: { organizationId: number; deliveryId: number; endpointKey: string };
  /**
   * From earlier runs: row id of the last delivery that was woken, and the number of consecutive failures.
   */
  afterId?: number;
  failures?: number;
}

export const backlogSummary = 'Webhooks that waited for an endpoint';

/** The answer of `deliveryStateQuery`. */
export interface DeliveryStateAnswer {
  state: 'sending' | 'waiting' | 'succeeded' | 'dead_letter';
  /** The current or last attempt; while waiting, the next one. */
  attempt: number;
  lastAttempt: number;
  /** ISO 8601; null unless waiting. */
  nextAttemptAt: string | null;
  lastStatusCode: number | null;
  /** A sentence without the address and the body; null before the first failure. */
  lastError: string | null;
}

/**
 * How the delivery ended. A dead letter is an expected outcome: the Workflow completes, and the row and the
 * search attributes show it.
 */
export interface DeliveryResult {
  state: 'succeeded' | 'dead_letter';
  attempts: number;
  lastStatusCode: number | null;
  reason: string | null;
}

export const deliveryStateQuery = defineQuery<DeliveryStateAnswer>('deliveryState');

/**
 * A resend names its attempt. If the Workflow has not begun that attempt when it would end, it makes it in a
 * fresh run.
 */
export interface RetryNowRequest {
  attempt: number;
}

/** Ends the current wait, so that the next attempt is made at once. Between waits it skips the next wait. */
export const retryNowSignal = defineSignal<[RetryNowRequest?]>('retryNow');
