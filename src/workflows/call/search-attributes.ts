import { upsertSearchAttributes } from '@temporalio/workflow';
import { dispositionForSearch } from '../../domain/call/dispositions.ts';
import type { searchAttributes } from '../../domain/declaration.ts';
import type { CallInput } from './messages.ts';

type Update = Extract<Parameters<typeof upsertSearchAttributes>[0], unknown[]>[number];

/** Types of temporal.yaml in the SDK's words. */
const keyTypes = { Keyword: 'KEYWORD', Int: 'INT', Double: 'DOUBLE', Bool: 'BOOL', Datetime: 'DATETIME', KeywordList: 'KEYWORD_LIST' } as const;

type Declared = typeof searchAttributes;
type NameOf<Type extends keyof typeof keyTypes> = { [Name in keyof Declared]: Declared[Name] extends Type ? Name : never }[keyof Declared];

const keyword = (name: NameOf<'Keyword'>, value: string) => ({ key: { name, type: keyTypes.Keyword }, value });
const int = (name: NameOf<'Int'>, value: number) => ({ key: { name, type: keyTypes.Int }, value });
const bool = (name: NameOf<'Bool'>, value: boolean) => ({ key: { name, type: keyTypes.Bool }, value });
const datetime = (name: NameOf<'Datetime'>, value: Date) => ({ key: { name, type: keyTypes.Datetime }, value });
const keywordList = (name: NameOf<'KeywordList'>, value: string[]) => ({ key: { name, type: keyTypes.KeywordList }, value });

/** A Keyword column of SQL visibility holds 255 characters; a list is one JSON value of a few kilobytes. */
const maxListed = 50;
const maxLength = 100;

/** What is known when a call starts. */
export function attributesAtStart(input: CallInput) {
  return [
    keyword('OrgId', input.organizationUuid),
    keyword('AgentUuid', input.agentUuid),
    keyword('AgentVersion', String(input.versionNumber)),
    keyword('CallSource', input.source),
    keyword('CallState', 'pending'),
    bool('IsTest', input.isTest),
  ];
}

/** The conversation began. */
export function showTalking(startedAt: string): void {
  upsert([keyword('CallState', 'talking'), datetime('AnsweredAt', new Date(startedAt))]);
}

/** The conversation entered another node. Turns alone are not worth an event. */
export function showProgress({ turnCount, nodesVisited }: { turnCount: number; nodesVisited: string[] }): void {
  upsert([int('TurnCount', turnCount), keywordList('NodesVisited', nodesVisited.slice(0, maxListed).map((each) => each.slice(0, maxLength)))]);
}

/** The conversation is over, its record is being written. */
export function showEnding(): void {
  upsert([keyword('CallState', 'ending')]);
}

/** The record is complete. */
export function showEnded(outcome: { disposition: string; turnCount: number; durationSec: number; nodesVisited: string[]; webhooks: number; failedExtractions: number }): void {
  upsert([
    keyword('CallState', 'ended'),
    keyword('Disposition', dispositionForSearch(outcome.disposition)),
    int('TurnCount', outcome.turnCount),
    int('DurationSec', Math.round(outcome.durationSec)),
    keywordList('NodesVisited', outcome.nodesVisited.slice(0, maxListed).map((each) => each.slice(0, maxLength))),
    bool('WebhookPending', outcome.webhooks > 0),
    ...(outcome.failedExtractions === 0 ? [] : [bool('NeedsAttention', true), keywordList('ErrorCodes', ['extraction'])]),
  ]);
}

/** Admission was refused: the caller was told so before the Workflow began. */
export function showRefused(): void {
  upsert([keyword('CallState', 'refused')]);
}

/** A turn failed; the session stays usable. */
export function showFailure(code: string): void {
  upsert([keyword('FailureCode', code)]);
}

function upsert(updates: Update[]): void {
  upsertSearchAttributes(updates);
}
