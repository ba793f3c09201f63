import type { JsonObject } from '../graph/definition.ts';

/** Who asked, as the audit log names actors. */
export interface JudgingActor {
  actorKind: string;
  actorId: number | null;
  actorName: string | null;
}

/**
 * The judgments of an ended call that were asked for after its own. The former judgment stays in the call's
 * annotations until the next one is complete.
 */
export interface Judging {
  /** The number of the latest request, from 1. */
  number: number;
  state: 'judging' | 'judged' | 'failed';
  /** The version whose QA nodes judge. */
  versionId: number;
  /** ISO 8601, like the other moments here. */
  requestedAt: string;
  requestedBy: JudgingActor;
  /** Results so far, as annotations; empty unless under way. */
  draft: JsonObject;
  /** Why the latest request failed; a text without words of the call. */
  reason: string | null;
  /** Completed judgments, and the last of them. */
  count: number;
  last: { at: string; by: JudgingActor } | null;
}

/** The next request, after those before. */
export function nextJudging(
  before: Judging | null,
  request: { versionId: number; at: Date; by: JudgingActor },
): Judging {
  return {
    number: (before?.number ?? 0) + 1,
    state: 'judging',
    versionId: request.versionId,
    requestedAt: request.at.toISOString(),
    requestedBy: request.by,
    draft: {},
    reason: null,
    count: before?.count ?? 0,
    last: before?.last ?? null,
  };
}

/** Whether this request is under way. */
export function isOpen(judging: Judging | null, number: number): judging is Judging {
  return judging !== null && judging.number === number && judging.state === 'judging';
}

/** The request, completed. */
export function judged(judging: Judging, at: Date): Judging {
  return {
    ...judging,
    state: 'judged',
    draft: {},
    count: judging.count + 1,
    last: { at: at.toISOString(), by: judging.requestedBy },
  };
}

/** The request, given up. */
export function failed(judging: Judging, reason: string): Judging {
  return { ...judging, state: 'failed', draft: {}, reason };
}

/** What stays after the call was erased: no results, and nothing under way. */
export function withoutResults(judging: Judging | null): Judging | null {
  return judging?.state === 'judging' ? failed(judging, 'The call was erased') : judging;
}
