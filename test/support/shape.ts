/** The keys of a value at all levels, without the values; of a list, those of its first item. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return 0;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]): [string, unknown] => [key, shapeOf(inner)])
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
