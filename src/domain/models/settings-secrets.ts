import type { JsonObject } from '../graph/definition.ts';
import { mapModelSecrets, maskModelSecrets, restoreModelSecrets } from './secrets.ts';

/** Settings of an agent that hold secrets: model overrides and the voicemail model (contract 1.1, 3.1). */
const parts = ['model_overrides', 'model_configuration_v2_override', 'voicemail_detection'] as const;

/** Settings as answers show them: only the last four characters of every secret. */
export function maskSettings(settings: JsonObject): JsonObject {
  return mapParts(settings, (part) => maskModelSecrets(part));
}

/**
 * Returns `next` with the stored secret for every mask that came back unchanged, and every other secret
 * passed through `seal`.
 */
export function restoreMaskedSettings(
  previous: JsonObject,
  next: JsonObject,
  seal: (secret: string) => string,
): JsonObject {
  return mapParts(next, (part, key) => restoreModelSecrets(previous[key], part, seal));
}

/** Changes every secret of stored settings. */
export function mapSettingsSecrets(settings: JsonObject, change: (secret: string) => string): JsonObject {
  return mapParts(settings, (part) => mapModelSecrets(part, undefined, change));
}

function mapParts(settings: JsonObject, change: (part: unknown, key: string) => unknown): JsonObject {
  const changed = parts
    .filter((key) => Object.hasOwn(settings, key))
    .map((key): [string, unknown] => [key, change(settings[key], key)]);
  return changed.length === 0 ? settings : { ...settings, ...Object.fromEntries(changed) };
}
