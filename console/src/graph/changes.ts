import { type Draft, labelOf, nameOf, sameJson } from './draft.ts';
import { type SettingChange, settingChanges } from './settings.ts';

/** One thing that differs between two versions of an agent. */
export interface DraftChange {
  kind: 'added' | 'removed' | 'changed';
  of: 'node' | 'edge' | 'settings' | 'values' | 'agent';
  id: string | null;
  name: string;
  /** Names of the fields that differ. */
  fields: string[];
  /** Of settings. */
  setting?: SettingChange;
}

/** What changed, nodes first, each in the order of the graph. Positions do not count: they change no call. */
export function changesBetween(before: Draft, after: Draft): DraftChange[] {
  return [
    ...(before.name === after.name
      ? []
      : [{ kind: 'changed', of: 'agent', id: null, name: after.name, fields: ['name'] } as const]),
    ...elements(before.nodes, after.nodes, 'node', (node) => nameOf(node)),
    ...elements(before.edges, after.edges, 'edge', labelOf),
    ...settingChanges(before.settings, after.settings).map((setting): DraftChange => ({
      kind: setting.kind,
      of: 'settings',
      id: null,
      name: '',
      fields: [],
      setting,
    })),
    ...valueChanges(before.values, after.values),
  ].map((change) => ({ ...change, fields: [...change.fields] }));
}

type Element = Draft['nodes'][number] | Draft['edges'][number];

function elements<E extends Element>(
  before: readonly E[],
  after: readonly E[],
  of: 'node' | 'edge',
  title: (element: E) => string,
): DraftChange[] {
  const old = new Map(before.map((each) => [each.id, each]));
  const ids = new Set(after.map(({ id }) => id));
  return [
    ...after.flatMap((each): DraftChange[] => {
      const was = old.get(each.id);
      if (was === undefined) return [{ kind: 'added', of, id: each.id, name: title(each), fields: [] }];
      const fields = changedFields(was, each);
      return fields.length === 0 ? [] : [{ kind: 'changed', of, id: each.id, name: title(each), fields }];
    }),
    ...before
      .filter(({ id }) => !ids.has(id))
      .map((each): DraftChange => ({ kind: 'removed', of, id: each.id, name: title(each), fields: [] })),
  ];
}

function changedFields(before: Element, after: Element): string[] {
  const outer = ['type', 'source', 'target'].filter(
    (key) => !sameJson((before as Record<string, unknown>)[key], (after as Record<string, unknown>)[key]),
  );
  const names = new Set([...Object.keys(before.data), ...Object.keys(after.data)]);
  return [...outer, ...[...names].filter((name) => !sameJson(before.data[name], after.data[name]))];
}

function valueChanges(before: Draft['values'], after: Draft['values']): DraftChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const fields = [...names].filter((name) => !sameJson(before[name], after[name]));
  return fields.length === 0 ? [] : [{ kind: 'changed', of: 'values', id: null, name: '', fields }];
}
