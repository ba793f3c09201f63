import { upsertSearchAttributes } from '@temporalio/workflow';
import type { searchAttributes } from '../../domain/declaration.ts';

/** The attributes of temporal.yaml that a delivery sets; closed words and numbers, never an address. */
export interface DeliveryAttributes {
  OrgId?: string;
  /** `webhook_http_<status>` or `webhook_unreachable`. */
  FailureCode?: string;
  Attempt?: number;
  NextAttemptAt?: Date;
  WebhookPending?: boolean;
  NeedsAttention?: boolean;
}

/** Each upsert is one event of the history: called when the delivery's state changes. */
export function showAttributes(values: DeliveryAttributes): void {
  const { OrgId, FailureCode, Attempt, NextAttemptAt, WebhookPending, NeedsAttention } = values;
  upsertSearchAttributes([
    ...given(OrgId, (value) => ({ key: { name: named('OrgId'), type: 'KEYWORD' as const }, value })),
    ...given(FailureCode, (value) => ({ key: { name: named('FailureCode'), type: 'KEYWORD' as const }, value })),
    ...given(Attempt, (value) => ({ key: { name: named('Attempt'), type: 'INT' as const }, value })),
    ...given(NextAttemptAt, (value) => ({ key: { name: named('NextAttemptAt'), type: 'DATETIME' as const }, value })),
    ...given(WebhookPending, (value) => ({ key: { name: named('WebhookPending'), type: 'BOOL' as const }, value })),
    ...given(NeedsAttention, (value) => ({ key: { name: named('NeedsAttention'), type: 'BOOL' as const }, value })),
  ]);
}

function given<Value, Pair>(value: Value | undefined, pair: (value: Value) => Pair): Pair[] {
  return value === undefined ? [] : [pair(value)];
}

/** A name that temporal.yaml does not declare does not compile. */
function named(name: keyof typeof searchAttributes): string {
  return name;
}
