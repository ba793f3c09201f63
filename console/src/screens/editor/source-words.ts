import { t } from '../../app/words.ts';
import type { Source } from '../../graph/variables.ts';

/** Where a variable's value comes from, in words. */
export function sourceWords({ type, directory_name: file, column }: Source = { type: 'trigger' }): string {
  return type === 'file' && file != null && column != null
    ? t('editor.source.column', { file, column })
    : t(`editor.source.${type}`);
}
