import { defineQuery, defineSignal } from '@temporalio/workflow';

/** One webhook delivery. Ids only: address, headers and body stay in MySQL. */
export interface DeliveryInput {
  deliveryUuid: string;
  callUuid: string;
  organizationUuid: string;
  /** Number of the first attempt made here; above 1 when a delivery is sent again by hand. */
  startedAttempt?: number;
  /** The first attempt is made although the delivery has ended: somebody wants it sent again. */
  resend?: true;
  /** Delays before each attempt in milliseconds, instead of the schedule of contract 9.4. */
  schedule?: number[];
}

/** What `drainWorkflow` sends again. */
export interface DrainInput {
  organizationUuid: string;
  selection: DeliverySelection;
  /** Row id of the last delivery that was handled; 0 at first. */
  afterId: number;
  /** How many were handled by earlier runs of the same drain. */
  handled?: number;
}

/** Deliveries of an organization, up to those that were there when it was asked for. Moments are ISO 8601. */
export interface DeliverySelection {
  organizationId: number;
  filter: {
    state?: 'pending' | 'succeeded' | 'dead_letter' | undefined;
    agentId?: number | undefined;
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
  /** Row id of the last delivery that was woken, and failures in a row: of earlier runs. */
  afterId?: number;
  failures?: number;
}

/** What `deliveryStateQuery` answers. */
export interface DeliveryStateAnswer {
  state: 'sending' | 'waiting' | 'succeeded' | 'dead_letter';
  /** The attempt that is being made, was made last or, while waiting, comes next. */
  attempt: number;
  lastAttempt: number;
  /** ISO 8601; null unless waiting. */
  nextAttemptAt: string | null;
  lastStatusCode: number | null;
  /** A sentence without address and body; null before the first failure. */
  lastError: string | null;
}

/**
 * How the delivery ended. A dead letter is an expected end: the Workflow completes, the row and the search
 * attributes say so.
 */
export interface DeliveryResult {
  state: 'succeeded' | 'dead_letter';
  attempts: number;
  lastStatusCode: number | null;
  reason: string | null;
}

export const deliveryStateQuery = defineQuery<DeliveryStateAnswer>('deliveryState');

/**
 * A re-send names its attempt: one that the Workflow has not begun when it would end is made in a fresh run.
 */
export interface RetryNowRequest {
  attempt: number;
}

/** Ends the present wait: the next attempt is made at once. Between waits it ends the next one. */
export const retryNowSignal = defineSignal<[RetryNowRequest?]>('retryNow');
