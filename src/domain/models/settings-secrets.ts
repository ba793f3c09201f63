import type { JsonObject } from '../graph/definition.ts';
import { mapModelSecrets, maskModelSecrets, restoreModelSecrets } from './secrets.ts';

/** Settings of an agent that hold secrets: model overrides and the voicemail model (contract 1.1, 3.1). */
const parts = ['model_overrides', 'model_configuration_v2_override', 'voicemail_detection'] as const;

/** Settings as answers show them: of every secret only the last four characters. */
export function maskSettings(settings: JsonObject): JsonObject {
  return mapParts(settings, (part) => maskModelSecrets(part));
}

/**
 * `next` with every masked secret that came back unchanged replaced by the stored one as it is stored, every
 * other one by `seal`.
 */
export function restoreMaskedSettings(
  previous: JsonObject,
  next: JsonObject,
  seal: (secret: string) => string,
): JsonObject {
  return mapParts(next, (part, key) => restoreModelSecrets(previous[key], part, seal));
}

/** Every secret of stored settings, changed. */
export function mapSettingsSecrets(settings: JsonObject, change: (secret: string) => string): JsonObject {
  return mapParts(settings, (part) => mapModelSecrets(part, undefined, change));
}

function mapParts(settings: JsonObject, change: (part: unknown, key: string) => unknown): JsonObject {
  const changed = parts
    .filter((key) => Object.hasOwn(settings, key))
    .map((key): [string, unknown] => [key, change(settings[key], key)]);
  return changed.length === 0 ? settings : { ...settings, ...Object.fromEntries(changed) };
}
