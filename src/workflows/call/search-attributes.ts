import { dispositionForSearch } from '../../domain/call/dispositions.ts';
import { bool, datetime, double, int, keyword, keywordList, showAttributes } from '../search-attributes.ts';
import type { JudgmentOutcome } from '../../activities/call.ts';
import type { CallInput } from './messages.ts';

/** A Keyword column of SQL visibility holds 255 characters; a list is one JSON value of a few kilobytes. */
const maxListed = 50;
const maxLength = 100;

/** The search attributes at the start of a call. */
export function attributesAtStart(input: CallInput) {
  return [
    keyword('OrgId', input.organizationUuid),
    keyword('AgentUuid', input.agentUuid),
    keyword('AgentVersion', String(input.versionNumber)),
    keyword('CallSource', input.source),
    keyword('CallState', 'pending'),
    bool('IsTest', input.isTest),
    ...(input.campaign === undefined
      ? []
      : [keyword('CampaignId', input.campaign.campaignUuid), int('Attempt', input.campaign.attemptNumber)]),
  ];
}

/** The conversation began. */
export function showTalking(startedAt: string): void {
  showAttributes([keyword('CallState', 'talking'), datetime('AnsweredAt', new Date(startedAt))]);
}

/** The call has a seat at a host. */
export function showSeat({ provider, hostId }: { provider: string | null; hostId: string }): void {
  showAttributes([
    ...(provider === null ? [] : [keyword('TelephonyProvider', provider)]),
    keyword('MediaHost', hostId),
  ]);
}

/** How long the caller waited for a reply, in milliseconds: the 95th percentile of the call's turns. */
export function showLatency(turnP95Ms: number): void {
  showAttributes([double('TurnP95Ms', turnP95Ms)]);
}

/** The conversation entered another node. A turn at the same node costs no history event. */
export function showProgress({
  turnCount,
  nodesVisited,
}: {
  turnCount: number;
  nodesVisited: string[];
}): void {
  showAttributes([
    int('TurnCount', turnCount),
    keywordList(
      'NodesVisited',
      nodesVisited.slice(0, maxListed).map((each) => each.slice(0, maxLength)),
    ),
  ]);
}

/** The conversation is over, and what was said is still being extracted. */
export function showEnding(): void {
  showAttributes([keyword('CallState', 'ending')]);
}

/** The record is complete. */
export function showEnded(outcome: {
  disposition: string;
  turnCount: number;
  durationSec: number;
  nodesVisited: string[];
  webhooks: number;
  failedExtractions: number;
}): void {
  showAttributes([
    keyword('CallState', 'ended'),
    keyword('Disposition', dispositionForSearch(outcome.disposition)),
    int('TurnCount', outcome.turnCount),
    int('DurationSec', Math.round(outcome.durationSec)),
    keywordList(
      'NodesVisited',
      outcome.nodesVisited.slice(0, maxListed).map((each) => each.slice(0, maxLength)),
    ),
    bool('WebhookPending', outcome.webhooks > 0),
    ...(outcome.failedExtractions === 0
      ? []
      : [bool('NeedsAttention', true), keywordList('ErrorCodes', ['extraction'])]),
  ]);
}

/** QA nodes have judged the call: the mean of their scores, and whether one of them failed. */
export function showJudged({
  judgments,
  failedExtractions,
}: {
  judgments: readonly JudgmentOutcome[];
  failedExtractions: number;
}): void {
  const scores = judgments.flatMap((each) =>
    each.kind === 'judged' && each.score !== null ? [each.score] : [],
  );
  const hasFailed = judgments.some(({ kind }) => kind === 'failed');
  showAttributes([
    ...(scores.length === 0
      ? []
      : [double('QaScore', scores.reduce((sum, score) => sum + score, 0) / scores.length)]),
    ...(hasFailed
      ? [
          bool('NeedsAttention', true),
          keywordList('ErrorCodes', failedExtractions > 0 ? ['extraction', 'qa'] : ['qa']),
        ]
      : []),
  ]);
}

/** Admission was refused: the API had refused the call before. */
export function showRefused(): void {
  showAttributes([keyword('CallState', 'refused')]);
}

/** A turn failed; the session stays usable. */
export function showFailure(code: string): void {
  showAttributes([keyword('FailureCode', code)]);
}
