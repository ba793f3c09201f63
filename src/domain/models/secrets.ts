import { isObject, own, ownText, type JsonObject } from '../graph/definition.ts';
import { isSameOrigin, MovedSecretError } from '../secrets/addressee.ts';
import { shownSecret } from '../secrets/sealed-text.ts';

/** Keys of model settings that hold a secret of any vendor (contract 1.1, 3.1). */
const secretKey =
  /(?:^|_)(?:api_keys?|access_key|access_key_id|secret|secret_key|token|auth_token|password|credentials)$/;

/** Model settings as answers show them: only the last four characters of every secret. */
export function maskModelSecrets(value: unknown): unknown {
  return mapModelSecrets(value, undefined, (secret) => shownSecret(secret));
}

/** Keys of model settings that decide who gets the secrets beside them. */
const addressKey = /(?:^|_)(?:provider|url|endpoint|host|region|resource|resource_name)$/;

/**
 * Returns `next` with the value of `stored` for every mask that came back unchanged, and every other secret
 * passed through `seal`. Throws ValidationError for a mask beside another vendor or address than the stored
 * one.
 */
export function restoreModelSecrets(
  stored: unknown,
  next: unknown,
  seal: (secret: string) => string = (secret) => secret,
): unknown {
  return mapModelSecrets(next, stored, (value, before, { key, isMoved }) => {
    if (typeof before !== 'string' || shownSecret(before) !== value) return seal(value);
    if (isMoved) throw new MovedSecretError([key]);
    return before;
  });
}

/** True if every field that decides who gets a secret says the same in both. */
function isSameAddressee(one: JsonObject, other: JsonObject): boolean {
  const keys = [...Object.keys(one), ...Object.keys(other)].filter((key) => addressKey.test(key));
  return keys.every((key) => isSameOrigin(ownText(one, key) ?? '', ownText(other, key) ?? ''));
}

/** True for a text that looks like a masked secret. */
export function looksMasked(value: unknown): boolean {
  return typeof value === 'string' && /^\*+.{0,4}$/su.test(value);
}

/** Where a secret is: its key, and whether its object has another vendor or address than the stored one. */
interface Spot {
  key: string;
  isMoved: boolean;
}

type Change = (secret: string, stored: unknown, spot: Spot) => string;

/**
 * Changes every secret. `stored` is the earlier value at the same place. A secret is a text or a list of
 * texts; an empty text is not a secret.
 */
export function mapModelSecrets(value: JsonObject, stored: unknown, change: Change): JsonObject;
export function mapModelSecrets(value: unknown, stored: unknown, change: Change): unknown;
export function mapModelSecrets(value: unknown, stored: unknown, change: Change): unknown {
  return mapPart({ value, stored, isMoved: false }, change);
}

interface Part {
  value: unknown;
  stored: unknown;
  /** True if an object around it has another vendor or address than the stored one. */
  isMoved: boolean;
}

function mapPart({ value, stored, isMoved }: Part, change: Change): unknown {
  if (Array.isArray(value))
    return value.map((item, index) =>
      mapPart({ value: item, stored: itemOf(stored, index), isMoved }, change),
    );
  if (!isObject(value)) return value;
  const before = isObject(stored) ? stored : {};
  const isElsewhere = isMoved || !isSameAddressee(before, value);
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const part = { value: item, stored: own(before, key), isMoved: isElsewhere };
    return [key, secretKey.test(key) ? mapTexts(key, part, change) : mapPart(part, change)];
  });
  return Object.fromEntries(entries);
}

function mapTexts(key: string, { value, stored, isMoved }: Part, change: Change): unknown {
  if (Array.isArray(value))
    return value.map((item, index) =>
      mapTexts(key, { value: item, stored: itemOf(stored, index), isMoved }, change),
    );
  if (isObject(value)) return mapPart({ value, stored, isMoved }, change);
  return typeof value === 'string' && value.trim() !== '' ? change(value, stored, { key, isMoved }) : value;
}

const itemOf = (stored: unknown, index: number): unknown =>
  Array.isArray(stored) ? stored[index] : undefined;
