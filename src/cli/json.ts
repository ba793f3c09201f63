/** A JSON object with unknown content. */
export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value of an own key of an object, otherwise undefined. */
export const own = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

export const ownText = (value: unknown, key: string): string | undefined => {
  const found = own(value, key);
  return typeof found === 'string' ? found : undefined;
};

/** Returns the objects in a list, or an empty list. */
export const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
