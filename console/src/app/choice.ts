import { session } from './session.ts';

export interface Choice<Value extends string> {
  get: () => Value;
  set: (value: Value) => void;
  subscribe: (listener: () => void) => () => void;
}

/**
 * Something that a person has chosen for this browser, kept by user. The first of `values` is the choice of people
 * who made none.
 */
export function choice<Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): Choice<Value> {
  const listeners = new Set<() => void>();
  const key = (): string => `parlance.${name}.${session.get()?.user.id ?? ''}`;
  // While storage is forbidden, a choice lasts as long as the page.
  const unstored = new Map<string, Value>();
  return {
    get: () => {
      try {
        const stored = localStorage.getItem(key());
        return values.find((each) => each === stored) ?? values[0];
      } catch {
        return unstored.get(key()) ?? values[0];
      }
    },
    set: (value) => {
      unstored.set(key(), value);
      try {
        localStorage.setItem(key(), value);
      } catch {
        // See above.
      }
      for (const each of listeners) each();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
