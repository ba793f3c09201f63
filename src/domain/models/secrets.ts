import { isObject, type JsonObject } from '../graph/definition.ts';
import { shownSecret } from '../secrets/sealed-text.ts';

/** Keys of model settings that hold a secret of any vendor (contract 1.1, 3.1). */
const secretKey =
  /(?:^|_)(?:api_keys?|access_key|access_key_id|secret|secret_key|token|auth_token|password|credentials)$/;

/** Model settings as answers show them: only the last four characters of every secret. */
export function maskModelSecrets(value: unknown): unknown {
  return mapModelSecrets(value, undefined, (secret) => shownSecret(secret));
}

/**
 * Returns `next` with the value of `stored` for every mask that came back unchanged, and every other secret
 * passed through `seal`.
 */
export function restoreModelSecrets(
  stored: unknown,
  next: unknown,
  seal: (secret: string) => string = (secret) => secret,
): unknown {
  return mapModelSecrets(next, stored, (value, before) =>
    typeof before === 'string' && shownSecret(before) === value ? before : seal(value),
  );
}

/** True for a text that looks like a masked secret. */
export function looksMasked(value: unknown): boolean {
  return typeof value === 'string' && /^\*+.{0,4}$/su.test(value);
}

/**
 * Changes every secret. `stored` is the earlier value at the same place. A secret is a text or a list of
 * texts; an empty text is not a secret.
 */
export function mapModelSecrets(
  value: JsonObject,
  stored: unknown,
  change: (secret: string, stored: unknown) => string,
): JsonObject;
export function mapModelSecrets(
  value: unknown,
  stored: unknown,
  change: (secret: string, stored: unknown) => string,
): unknown;
export function mapModelSecrets(
  value: unknown,
  stored: unknown,
  change: (secret: string, stored: unknown) => string,
): unknown {
  if (Array.isArray(value))
    return value.map((item, index) =>
      mapModelSecrets(item, Array.isArray(stored) ? stored[index] : undefined, change),
    );
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const before = isObject(stored) && Object.hasOwn(stored, key) ? stored[key] : undefined;
    return [
      key,
      secretKey.test(key) ? mapTexts(item, before, change) : mapModelSecrets(item, before, change),
    ];
  });
  return Object.fromEntries(entries);
}

function mapTexts(
  value: unknown,
  stored: unknown,
  change: (secret: string, stored: unknown) => string,
): unknown {
  if (Array.isArray(value))
    return value.map((item, index) =>
      mapTexts(item, Array.isArray(stored) ? stored[index] : undefined, change),
    );
  if (isObject(value)) return mapModelSecrets(value, stored, change);
  return typeof value === 'string' && value.trim() !== '' ? change(value, stored) : value;
}
