import { isObject } from './definition.ts';

/** A text that is equal for two JSON values that differ only in the order of their keys. */
export function canonicalText(value: unknown): string {
  return (
    JSON.stringify(value, (_key, each: unknown) =>
      isObject(each)
        ? Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)))
        : each,
    ) ?? ''
  );
}
