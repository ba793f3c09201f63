import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { searchAttributes } from '../domain/declaration.ts';

/**
 * Search attributes of temporal.yaml: a name that it does not declare, or declares with another type, does
 * not compile.
 */
type Update = Extract<Parameters<typeof upsertSearchAttributes>[0], unknown[]>[number];

/** Types of temporal.yaml in the SDK's words. */
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

/** What was set before this run began: a run that goes on in a fresh one hands its attributes on. */
export function handedOn(name: NameOf<'Bool'>): boolean | undefined {
  return workflowInfo().typedSearchAttributes.get({ name, type: keyTypes.Bool });
}

/**
 * Each upsert is one event of the history: called when a state changes. Closed words, ids and numbers,
 * nothing about a person.
 */
export function showAttributes(updates: Update[]): void {
  if (updates.length > 0) upsertSearchAttributes(updates);
}
