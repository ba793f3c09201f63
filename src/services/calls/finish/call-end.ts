import type { EntityManager } from 'typeorm';
import type { CallRow } from '../../../db/tables/calls.ts';
import type { NotDialed } from '../../../domain/campaign/not-dialed.ts';
import type { TargetOutcome } from '../../../domain/campaign/outcome.ts';
import type { RetryClass } from '../../../domain/telephony/retry-class.ts';

/** Facts about the end of a call that only its Workflow knows; absent when that Workflow is gone. */
export interface WorkflowFacts {
  retryClass?: RetryClass;
  notDialed?: NotDialed | null;
  isInDoubt?: boolean;
}

/** A call that ended or was refused, with its complete record. */
export interface CallEnd {
  call: Pick<
    CallRow,
    | 'id'
    | 'organizationId'
    | 'campaignId'
    | 'state'
    | 'disposition'
    | 'tags'
    | 'gatheredContext'
    | 'answeredAt'
    | 'durationSeconds'
  >;
  workflow?: WorkflowFacts | undefined;
  at: Date;
}

/**
 * Reports the end of a call to what started it, in the transaction that ends the call. Returns the outcome of
 * the campaign's target, or null for a call without a campaign.
 */
export type ReportCallEnd = (tx: EntityManager, end: CallEnd) => Promise<TargetOutcome | null>;
