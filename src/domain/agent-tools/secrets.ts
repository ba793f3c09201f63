import { isSecretHeader } from '../delivery/masking.ts';
import { isObject, own, type JsonObject } from '../graph/definition.ts';
import { shownSecret } from '../secrets/sealed-text.ts';

/**
 * Secrets inside a tool's definition: values of headers whose name looks secret. Answers show them masked.
 */
export function maskToolSecrets(definition: JsonObject): Record<string, unknown> {
  return changeHeaders(definition, undefined, (secret) => shownSecret(secret));
}

/** Changes every secret of a stored definition. */
export function mapToolSecrets(
  definition: JsonObject,
  change: (secret: string) => string,
): Record<string, unknown> {
  return changeHeaders(definition, undefined, change);
}

/**
 * Returns `next` with the stored value for every mask that came back unchanged, and every other secret passed
 * through `seal`.
 */
export function restoreToolSecrets(
  previous: JsonObject,
  next: JsonObject,
  seal: (secret: string) => string,
): Record<string, unknown> {
  return changeHeaders(next, previous, (value, stored) =>
    typeof stored === 'string' && shownSecret(stored) === value ? stored : seal(value),
  );
}

type Change = (value: string, stored: unknown) => string;

/** Headers are in the config and in the resolver of a transfer. */
function changeHeaders(definition: JsonObject, stored: unknown, change: Change): Record<string, unknown> {
  return changePart(definition, 'config', stored, (config, storedConfig) =>
    changePart(
      changePart(config, 'headers', storedConfig, (headers, before) => changeValues(headers, before, change)),
      'resolver',
      storedConfig,
      (resolver, storedResolver) =>
        changePart(resolver, 'headers', storedResolver, (headers, before) =>
          changeValues(headers, before, change),
        ),
    ),
  );
}

function changePart(
  object: JsonObject,
  key: string,
  stored: unknown,
  change: (part: JsonObject, stored: unknown) => Record<string, unknown>,
): Record<string, unknown> {
  const part = own(object, key);
  if (!isObject(part)) return { ...object };
  return { ...object, [key]: change(part, isObject(stored) ? own(stored, key) : undefined) };
}

function changeValues(headers: JsonObject, stored: unknown, change: Change): Record<string, unknown> {
  const entries = Object.entries(headers).map(([name, value]): [string, unknown] => {
    const isSecret = typeof value === 'string' && value.trim() !== '' && isSecretHeader(name);
    return [name, isSecret ? change(value, isObject(stored) ? own(stored, name) : undefined) : value];
  });
  return Object.fromEntries(entries);
}
