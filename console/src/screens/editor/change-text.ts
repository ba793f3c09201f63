import { hasWords, t } from '../../app/words.ts';
import type { DraftChange } from '../../graph/changes.ts';
import type { EditorSession } from './session.ts';
import { settingText } from './setting-words.ts';

/** A field as people call it: by the catalog of node types, else by its key. */
export function fieldName(session: EditorSession, type: string | undefined, field: string): string {
  const own = `editor.field.${field}`;
  if (hasWords(own)) return t(own);
  const found =
    type === undefined ? undefined : session.specOf(type)?.properties.find(({ name }) => name === field);
  return (found?.display_name ?? field).toLowerCase();
}

/** Which fields of a node, transition or setting changed, as a sentence for people. */
export function changeText(session: EditorSession, change: DraftChange): string {
  const { kind, of, id, fields, setting } = change;
  if (setting !== undefined) return settingText(setting);
  if (kind !== 'changed') return t(`editor.change.${kind}.${of === 'edge' ? 'edge' : 'node'}`);
  const type = session.draft().nodes.find((node) => node.id === id)?.type;
  const names = fields.map((field) => fieldName(session, type, field));
  return t('editor.change.changed', { fields: names.join(', ') });
}

/** The thing that changed. */
export const changeTitle = ({ of, name }: DraftChange): string =>
  of === 'settings' || of === 'values' || name === '' ? t(`editor.change.of.${of}`) : name;
