import { isObject } from '../../../src/domain/graph/definition.ts';
import { type Draft, sameJson } from './draft.ts';

/** A setting that differs, by its key, with dots for keys inside of it. */
export interface SettingChange {
  kind: 'added' | 'removed' | 'changed';
  key: string;
  before: unknown;
  after: unknown;
}

/** Written as JSON by people, and one setting for them. */
const whole: ReadonlySet<string> = new Set(['model_configuration_v2_override']);

/** The settings one by one, as the drawer has them. */
function leaves(settings: Draft['settings'], prefix = ''): [string, unknown][] {
  return Object.entries(settings).flatMap(([name, value]): [string, unknown][] => {
    const key = `${prefix}${name}`;
    const isGroup = isObject(value) && Object.keys(value).length > 0 && !whole.has(key);
    return isGroup ? leaves(value, `${key}.`) : [[key, value]];
  });
}

export function settingChanges(before: Draft['settings'], after: Draft['settings']): SettingChange[] {
  const [old, now] = [new Map(leaves(before)), new Map(leaves(after))];
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((key): SettingChange[] => {
    const change = { key, before: old.get(key), after: now.get(key) };
    if (sameJson(change.before, change.after)) return [];
    return [{ kind: !old.has(key) ? 'added' : !now.has(key) ? 'removed' : 'changed', ...change }];
  });
}
