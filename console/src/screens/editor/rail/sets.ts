import { isObject } from '../../../../../src/domain/graph/definition.ts';
import { session } from '../../../app/session.ts';
import type { ValueSet } from './value-sets.ts';

const keyOf = (agentId: number): string =>
  `parlance.testValues.${session.get()?.user.organization_id ?? 0}.${agentId}`;

/** The sets of an agent that this browser keeps. */
export function readSets(agentId: number): readonly ValueSet[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(agentId)) ?? '[]');
    return Array.isArray(stored) ? stored.flatMap(setOf) : [];
  } catch {
    return [];
  }
}

export function writeSets(agentId: number, sets: readonly ValueSet[]): void {
  try {
    localStorage.setItem(keyOf(agentId), JSON.stringify(sets));
  } catch {
    // The sets then last as long as the page.
  }
}

function setOf(stored: unknown): readonly ValueSet[] {
  if (!isObject(stored)) return [];
  const { id, name, values } = stored;
  if (typeof id !== 'string' || typeof name !== 'string' || !isObject(values)) return [];
  const texts = Object.entries(values).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[key, value]] : [],
  );
  return [{ id, name, values: Object.fromEntries(texts) }];
}
