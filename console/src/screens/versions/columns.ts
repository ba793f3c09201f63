import { edgesOf, type JsonObject, nodesOf, ownObject } from '../../../../src/domain/graph/definition.ts';
import { settingChanges } from '../../graph/settings.ts';
import { type Change, type Content, keyed } from './compare.ts';
import { fullText, readable } from './sentences.ts';

/** A field of both versions in words; empty where it is absent. */
export interface Cell {
  field: string;
  before: string;
  after: string;
}

/** What differs in one thing, field by field. */
export interface Block {
  change: Change;
  cells: readonly Cell[];
}

/**
 * Both versions side by side: the fields that differ of what changed, and all that say something of what was added
 * or removed. `settingName` is what people call a setting.
 */
export function columnsOf(
  before: Content,
  after: Content,
  { changes, settingName }: { changes: readonly Change[]; settingName: (key: string) => string },
): Block[] {
  const [old, now] = [dataOf(before), dataOf(after)];
  return changes
    .filter(({ kind }) => kind !== 'moved')
    .map((change) => {
      const { of, id, kind, fields } = change;
      if (of === 'setting')
        return {
          change,
          cells: fields.flatMap((each) =>
            settingChanges(asSetting(id, each.before), asSetting(id, each.after)).map((setting) =>
              cell(settingName(setting.key), setting),
            ),
          ),
        };
      if ((of !== 'node' && of !== 'edge') || kind === 'changed')
        return { change, cells: fields.map((each) => cell(readable(each.field), each)) };
      const key = `${of} ${id}`;
      const data = old.get(key) ?? now.get(key) ?? {};
      return {
        change,
        cells: Object.entries(data)
          .filter(([, value]) => saysSomething(value))
          .map(([field, value]) =>
            cell(
              readable(field),
              kind === 'added' ? { before: undefined, after: value } : { before: value, after: undefined },
            ),
          ),
      };
    });
}

const asSetting = (name: string, value: unknown) => (value === undefined ? {} : { [name]: value });

const cell = (field: string, { before, after }: { before: unknown; after: unknown }): Cell => ({
  field,
  before: fullText(before),
  after: fullText(after),
});

const saysSomething = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0);

/** The data of every node and edge. */
function dataOf({ definition }: Content): Map<string, JsonObject> {
  const list = (of: 'node' | 'edge', elements: readonly JsonObject[]) =>
    [...keyed(elements)].map(([id, each]): [string, JsonObject] => [`${of} ${id}`, ownObject(each, 'data')]);
  return new Map([...list('node', nodesOf(definition)), ...list('edge', edgesOf(definition))]);
}
