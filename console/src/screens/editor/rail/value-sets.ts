import type { JsonObject } from '../../../../../src/domain/graph/definition.ts';

/** Values for a test under a name. */
export interface ValueSet {
  id: string;
  name: string;
  values: Readonly<Record<string, string>>;
}

/** The variables that the agent's own values or a set has, in this order, then those that it uses besides. */
export const namesOf = (
  own: JsonObject,
  sets: readonly ValueSet[],
  used: readonly string[] = [],
): string[] => [
  ...new Set([
    ...[own, ...sets.map(({ values }) => values)].flatMap((values) => Object.keys(values)),
    ...used,
  ]),
];

/** The sets with another value in one of them. Without a value the agent's own one counts. */
export const withValue = (
  sets: readonly ValueSet[],
  { id, name, value }: { id: string; name: string; value: string },
): ValueSet[] =>
  sets.map((set) => {
    if (set.id !== id) return set;
    const { [name]: _before, ...others } = set.values;
    return { ...set, values: value === '' ? others : { ...set.values, [name]: value } };
  });

/** The sets without a variable. */
export const withoutName = (sets: readonly ValueSet[], name: string): ValueSet[] =>
  sets.map(({ values: { [name]: _value, ...values }, ...set }) => ({ ...set, values }));
