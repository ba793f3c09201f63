import { isSecretHeader } from '../delivery/masking.ts';
import { isObject, own, ownText, type JsonObject } from '../graph/definition.ts';
import { isSameOrigin, MovedSecretError } from '../secrets/addressee.ts';
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
 * through `seal`. Throws ValidationError for a mask beside another address than the stored one.
 */
export function restoreToolSecrets(
  previous: JsonObject,
  next: JsonObject,
  seal: (secret: string) => string,
): Record<string, unknown> {
  return changeHeaders(next, previous, (value, { stored, isMoved, place }) => {
    if (typeof stored !== 'string' || shownSecret(stored) !== value) return seal(value);
    if (isMoved) throw new MovedSecretError(place);
    return stored;
  });
}

interface Before {
  /** The stored value of the same header. */
  stored: unknown;
  /** True if the request now goes to another address. */
  isMoved: boolean;
  place: readonly string[];
}

type Change = (value: string, before: Before) => string;

/** Headers are in the config and in the resolver of a transfer. */
function changeHeaders(definition: JsonObject, stored: unknown, change: Change): Record<string, unknown> {
  const headers =
    (...place: string[]) =>
    (part: JsonObject, before: unknown) => {
      const isMoved =
        isObject(before) && !isSameOrigin(ownText(before, 'url') ?? '', ownText(part, 'url') ?? '');
      return changePart(part, 'headers', before, (values, storedValues) =>
        changeValues(values, storedValues, (value, name, known) =>
          change(value, { stored: known, isMoved, place: [...place, 'headers', name] }),
        ),
      );
    };
  return changePart(definition, 'config', stored, (config, before) =>
    changePart(headers('config')(config, before), 'resolver', before, headers('config', 'resolver')),
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

function changeValues(
  headers: JsonObject,
  stored: unknown,
  change: (value: string, name: string, stored: unknown) => string,
): Record<string, unknown> {
  const entries = Object.entries(headers).map(([name, value]): [string, unknown] => {
    const isSecret = typeof value === 'string' && value.trim() !== '' && isSecretHeader(name);
    return [name, isSecret ? change(value, name, isObject(stored) ? own(stored, name) : undefined) : value];
  });
  return Object.fromEntries(entries);
}
