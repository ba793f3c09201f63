import { isObject, ownText } from '../../../../src/domain/graph/definition.ts';
import { type SettingChange, settingChanges } from '../../graph/settings.ts';
import type { Change, FieldChange } from './compare.ts';

/** A sentence of the catalog, and the texts of which it shows the difference by word. */
export interface Sentence {
  id: string;
  values: Record<string, string>;
  words?: { before: string; after: string };
}

const ofField = new Set(['greeting', 'prompt', 'name', 'type', 'tool_uuids', 'document_uuids']);
const ofEdge = new Set(['label', 'condition', 'source', 'target']);

/**
 * What happened to a thing, one sentence for each field. The thing's name stands before or in it. `settingText` tells
 * what happened to a setting.
 */
export function sentencesOf(change: Change, settingText: (setting: SettingChange) => string): Sentence[] {
  const { kind, of, name, source, target, fields } = change;
  if (of === 'setting')
    return fields.flatMap(({ before, after }) =>
      settingChanges(asSetting(name, before), asSetting(name, after)).map((setting) => ({
        id: 'versions.setting',
        values: { field: settingText(setting) },
        ...wordsOf(setting),
      })),
    );
  if (of === 'value' || of === 'graph')
    return fields.map((field) => ({
      id: `versions.${of}.${kind}`,
      values: { field: readable(name), name, before: shortText(field.before), after: shortText(field.after) },
      ...wordsOf(field),
    }));
  if (kind !== 'changed') return [{ id: `versions.${of}.${kind}`, values: { name, source, target } }];
  return fields.flatMap((field) =>
    of === 'node' && field.field === 'extraction_variables'
      ? extractionSentences(name, field)
      : [fieldSentence(change, field)],
  );
}

const asSetting = (name: string, value: unknown) => (value === undefined ? {} : { [name]: value });

function fieldSentence({ of, name, source, target }: Change, field: FieldChange): Sentence {
  const known = (of === 'node' ? ofField : ofEdge).has(field.field);
  const isSwitch = typeof field.after === 'boolean';
  const suffix = known ? field.field : isSwitch ? (field.after === true ? 'on' : 'off') : 'other';
  return {
    id: `versions.${of}.${suffix}`,
    values: {
      name,
      source,
      target,
      field: readable(field.field),
      before: shortText(field.before),
      after: shortText(field.after),
    },
    ...wordsOf(field),
  };
}

function extractionSentences(name: string, { before, after }: FieldChange): Sentence[] {
  const [old, now] = [byName(before), byName(after)];
  const say = (id: string, names: string[]): Sentence[] =>
    names.length === 0 ? [] : [{ id: `versions.node.${id}`, values: { name, names: names.join(', ') } }];
  const sentences = [
    ...say(
      'extracts',
      [...now.keys()].filter((each) => !old.has(each)),
    ),
    ...say(
      'extractsNoMore',
      [...old.keys()].filter((each) => !now.has(each)),
    ),
    ...say(
      'extractsDifferently',
      [...now.keys()].filter((each) => old.has(each) && old.get(each) !== now.get(each)),
    ),
  ];
  const all = sentences.length > 0 ? sentences : say('extractsInOrder', [...now.keys()]);
  return all.length > 0
    ? all
    : [{ id: 'versions.node.other', values: { name, field: 'extraction variables' } }];
}

const byName = (list: unknown): Map<string, string> =>
  new Map(
    (Array.isArray(list) ? list : [])
      .filter(isObject)
      .map((each) => [ownText(each, 'name') ?? '', JSON.stringify(each)]),
  );

/** Texts long enough to be read word by word. */
function wordsOf({ before, after }: Pick<FieldChange, 'before' | 'after'>): Pick<Sentence, 'words'> {
  const [old, now] = [fullText(before), fullText(after)];
  return Math.max(old.length, now.length) > maxShort ? { words: { before: old, after: now } } : {};
}

const maxShort = 24;

/** `max_call_duration` as people read it. */
export const readable = (key: string): string => key.replaceAll('_', ' ').trim();

export const fullText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value, null, 1);

const shortText = (value: unknown): string => {
  const whole = typeof value === 'string' ? value : value === undefined ? '–' : JSON.stringify(value);
  return whole.length > maxShort ? `${whole.slice(0, maxShort)}…` : whole;
};
