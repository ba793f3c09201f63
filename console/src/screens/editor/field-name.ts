import { hasWords, t } from '../../app/words.ts';
import type { EditorSession } from './session.ts';

/** A field as people call it: by the catalog of node types, else by its key. */
export function fieldName(session: EditorSession, type: string | undefined, field: string): string {
  const own = `editor.field.${field}`;
  if (hasWords(own)) return t(own);
  const found =
    type === undefined ? undefined : session.specOf(type)?.properties.find(({ name }) => name === field);
  return (found?.display_name ?? field).toLowerCase();
}
