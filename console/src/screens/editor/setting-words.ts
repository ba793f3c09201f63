import { count } from '../../app/format.ts';
import { hasWords, t } from '../../app/words.ts';
import type { SettingChange } from '../../graph/settings.ts';
import { settingFields } from './setting-fields.ts';

/** A setting as the drawer calls it; one that it does not have, by its key. */
export function settingName(key: string): string {
  const id = `editor.setting.${key}`;
  return hasWords(id) ? t(id) : key.replaceAll(/[._]/g, ' ').trim();
}

const maxShort = 24;

/** A value as people read it. Null if it is long, or nobody should see it. */
function valueText(key: string, value: unknown): string | null {
  if (typeof value === 'boolean') return t(value ? 'editor.on' : 'editor.off');
  const field = settingFields.find((each) => each.key === key);
  if (typeof value === 'number')
    return field?.as === 'number' && field.unit === true
      ? t('editor.inSeconds', { count: value })
      : count(value);
  if (typeof value !== 'string' || value.length > maxShort || key.endsWith('api_key')) return null;
  const choice = `editor.setting.${key}.${value}`;
  return `“${field?.as === 'choice' && hasWords(choice) ? t(choice) : value}”`;
}

/** What happened to a setting. */
export function settingText({ kind, key, before, after }: SettingChange): string {
  const field = settingName(key);
  const [was, is] = [valueText(key, before), valueText(key, after)];
  const isShown = (kind === 'added' || was !== null) && (kind === 'removed' || is !== null);
  return t(`editor.change.setting.${kind}${isShown ? '' : 'Long'}`, { field, before: was, after: is });
}
