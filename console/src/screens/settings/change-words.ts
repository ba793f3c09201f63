import type { AuditEntryDetail } from '../../../../src/contract/audit-log.ts';
import { t } from '../../app/words.ts';

type Operation = NonNullable<AuditEntryDetail['diff']>[number];

/** A place in an object as words: `/rules/window_zone` is `Rules › window zone`. */
export function placeText(pointer: string): string {
  const words = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~').replaceAll('_', ' '))
    // A number is a place in a list, which people count from one.
    .map((part) => (/^\d+$/.test(part) ? `#${Number(part) + 1}` : part))
    .join(' › ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value as words: text in quotation marks, a switch as on or off, a list by its entries. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return t('settings.value.none');
  if (typeof value === 'boolean') return t(value ? 'settings.value.on' : 'settings.value.off');
  if (typeof value === 'string') return `“${value}”`;
  if (Array.isArray(value))
    return value.length === 0 ? t('settings.value.none') : value.map(valueText).join(', ');
  if (typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, each]) => `${name.replaceAll('_', ' ')} ${valueText(each)}`,
  );
  return fields.length === 0 ? t('settings.value.none') : fields.join(', ');
}

/** One changed value as a sentence. What was nothing before was set, and what is nothing now was removed. */
export function operationText({ op, path, value, old_value: before }: Operation): string {
  const isEmpty = (each: unknown) => each === null || each === undefined || each === '';
  const kind =
    op === 'replace' && isEmpty(before) ? 'add' : op === 'replace' && isEmpty(value) ? 'remove' : op;
  return t(`settings.op.${kind}`, {
    place: placeText(path),
    value: valueText(value),
    before: valueText(before),
  });
}
