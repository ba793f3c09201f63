import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { searchAttributes } from '../domain/declaration.ts';

/**
 * Search attributes of temporal.yaml. A name that is not declared there, or has another type, does not
 * compile.
 */
type Update = Extract<Parameters<typeof upsertSearchAttributes>[0], unknown[]>[number];

/** The types of temporal.yaml as the SDK names them. */
const keyTypes = {
  Keyword: 'KEYWORD',
  Int: 'INT',
  Double: 'DOUBLE',
  Bool: 'BOOL',
  Datetime: 'DATETIME',
  KeywordList: 'KEYWORD_LIST',
} as const;

type Declared = typeof searchAttributes;
type NameOf<Type extends keyof typeof keyTypes> = {
  [Name in keyof Declared]: Declared[Name] extends Type ? Name : never;
}[keyof Declared];

export const keyword = (name: NameOf<'Keyword'>, value: string) => ({
  key: { name, type: keyTypes.Keyword },
  value,
});
export const int = (name: NameOf<'Int'>, value: number) => ({ key: { name, type: keyTypes.Int }, value });
export const double = (name: NameOf<'Double'>, value: number) => ({
  key: { name, type: keyTypes.Double },
  value,
});
export const bool = (name: NameOf<'Bool'>, value: boolean) => ({ key: { name, type: keyTypes.Bool }, value });
export const datetime = (name: NameOf<'Datetime'>, value: Date) => ({
  key: { name, type: keyTypes.Datetime },
  value,
});
export const keywordList = (name: NameOf<'KeywordList'>, value: string[]) => ({
  key: { name, type: keyTypes.KeywordList },
  value,
});

/** The value that an earlier run has set: continue-as-new passes the attributes on. */
export function handedOn(name: NameOf<'Bool'>): boolean | undefined {
  return workflowInfo().typedSearchAttributes.get({ name, type: keyTypes.Bool });
}

/**
 * Sets search attributes. Each call is one history event, so it is made only when a state changes. Values are
 * fixed codes, ids and numbers, no personal data.
 */
export function showAttributes(updates: Update[]): void {
  if (updates.length > 0) upsertSearchAttributes(updates);
}
