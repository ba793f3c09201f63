import { maskSecret } from '../../domain/delivery/masking.ts';
import { isObject, type JsonObject } from '../../domain/graph/definition.ts';

/** Keys of settings that hold a vendor's secret: model overrides and the voicemail model (contract 1.1, 3.1). */
const secretKeys: ReadonlySet<string> = new Set(['api_key', 'api_keys', 'aws_secret_key', 'credentials']);
const parts = ['model_overrides', 'model_configuration_v2_override', 'voicemail_detection'] as const;

/** Settings as answers show them: of every secret only the last four characters. */
export function maskSettings(settings: JsonObject): JsonObject {
  return mapParts(settings, (part) => mapSecrets(part, undefined, (secret) => maskSecret(secret)));
}

/** `next` with every masked secret that came back unchanged replaced by the stored one. */
export function restoreMaskedSettings(previous: JsonObject, next: JsonObject): JsonObject {
  return mapParts(next, (part, key) => mapSecrets(part, previous[key], (value, stored) => (typeof stored === 'string' && maskSecret(stored) === value ? stored : value)));
}

function mapParts(settings: JsonObject, change: (part: unknown, key: string) => unknown): JsonObject {
  const changed = parts.filter((key) => Object.hasOwn(settings, key)).map((key): [string, unknown] => [key, change(settings[key], key)]);
  return changed.length === 0 ? settings : { ...settings, ...Object.fromEntries(changed) };
}

/** Walks `value` beside `stored`, the value that was at the same place before. */
function mapSecrets(value: unknown, stored: unknown, change: (secret: string, stored: unknown) => string): unknown {
  if (Array.isArray(value)) return value.map((item, index) => mapSecrets(item, Array.isArray(stored) ? stored[index] : undefined, change));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const before = isObject(stored) && Object.hasOwn(stored, key) ? stored[key] : undefined;
    if (!secretKeys.has(key)) return [key, mapSecrets(item, before, change)];
    if (Array.isArray(item)) return [key, item.map((each, index) => (typeof each === 'string' ? change(each, Array.isArray(before) ? before[index] : undefined) : each))];
    return [key, typeof item === 'string' ? change(item, before) : item];
  });
  return Object.fromEntries(entries);
}
