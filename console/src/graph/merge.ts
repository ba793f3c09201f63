import { isObject } from '../../../src/domain/graph/definition.ts';
import { type Draft, type GraphEdge, type GraphNode, sameJson } from './draft.ts';

/** A place of a draft: one field of one node or transition, or of the agent. */
export interface Place {
  readonly of: 'node' | 'edge' | 'settings' | 'values' | 'rest' | 'agent';
  /** Id of the node or transition. */
  readonly id: string | null;
  /** Null for the node or transition as a whole: one side removed it, the other changed it. */
  readonly field: string | null;
}

/** Both sides changed one place to different values. */
export interface Conflict extends Place {
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface Merged {
  /** Where both changed one place, it holds mine. */
  readonly merged: Draft;
  readonly conflicts: readonly Conflict[];
  /** Places that only they changed. */
  readonly taken: readonly Place[];
}

type Field = { of: Place['of']; id: string | null; field: string; value: unknown };
type Fields = ReadonlyMap<string, Field>;

/**
 * Three-way merge by node id and field. Changes of different fields are both kept, in whichever order they are
 * merged. Places of nodes never conflict: mine stay.
 */
export function merge(base: Draft, mine: Draft, theirs: Draft): Merged {
  const [b, m, t] = [fieldsOf(base), fieldsOf(mine), fieldsOf(theirs)];
  const conflicts: Conflict[] = [];
  const taken: Place[] = [];
  const result = new Map<string, Field>();
  for (const key of new Set([...b.keys(), ...m.keys(), ...t.keys()])) {
    const [was, ours, other] = [b.get(key), m.get(key), t.get(key)];
    const known = ours ?? other ?? was;
    if (known === undefined) continue;
    const place: Place = { of: known.of, id: known.id, field: known.field };
    let chosen = ours;
    if (sameField(was, ours) && !sameField(was, other)) {
      chosen = other;
      taken.push(place);
    } else if (!sameField(was, ours) && !sameField(was, other) && !sameField(ours, other)) {
      if (known.field !== 'position')
        conflicts.push({ ...place, base: was?.value, mine: ours?.value, theirs: other?.value });
    }
    if (chosen !== undefined) result.set(key, chosen);
  }
  const removals = removed(base, mine, theirs);
  const merged = assemble(result, { base, mine, theirs, removals });
  const isThere = new Set([...merged.nodes, ...merged.edges].map(({ id }) => id));
  return {
    merged,
    conflicts: [
      // What is removed as a whole has no fields to choose between.
      ...conflicts.filter(({ id }) => id === null || !(removals.has(id) || removals.has(`kept ${id}`))),
      ...[...removals.values()].filter(({ isContested }) => isContested).map(({ conflict }) => conflict),
    ],
    taken: taken.filter(({ id }) => id === null || isThere.has(id)),
  };
}

const sameField = (a: Field | undefined, b: Field | undefined): boolean =>
  a === undefined || b === undefined ? a === b : sameJson(a.value, b.value);

function fieldsOf(draft: Draft): Fields {
  const fields = new Map<string, Field>();
  const put = (of: Place['of'], id: string | null, field: string, value: unknown) =>
    fields.set(JSON.stringify([of, id, field]), { of, id, field, value });
  put('agent', null, 'name', draft.name);
  for (const part of ['settings', 'values', 'rest'] as const)
    for (const [key, value] of Object.entries(draft[part])) put(part, null, key, value);
  const element = (of: 'node' | 'edge', { data, ...outer }: GraphNode | GraphEdge) => {
    for (const [key, value] of Object.entries(outer)) put(of, outer.id, key, value);
    for (const [key, value] of Object.entries(data)) put(of, outer.id, `data.${key}`, value);
  };
  for (const node of draft.nodes) element('node', node);
  for (const edge of draft.edges) element('edge', edge);
  return fields;
}

interface Removal {
  conflict: Conflict;
  /** The other side changed what was removed. */
  isContested: boolean;
}

/** Nodes and transitions of the base that one side has removed. */
function removed(base: Draft, mine: Draft, theirs: Draft): Map<string, Removal> {
  const removals = new Map<string, Removal>();
  for (const [of, part] of [
    ['node', 'nodes'],
    ['edge', 'edges'],
  ] as const)
    for (const was of base[part]) {
      const ours = mine[part].find(({ id }) => id === was.id);
      const other = theirs[part].find(({ id }) => id === was.id);
      if (ours !== undefined && other !== undefined) continue;
      const left = ours ?? other;
      const isContested = left !== undefined && !sameJson(withoutPlace(left), withoutPlace(was));
      const conflict = { of, id: was.id, field: null, base: was, mine: ours, theirs: other };
      // Mine stays: what they removed and I changed is kept.
      if (isContested && ours !== undefined) removals.set(`kept ${was.id}`, { conflict, isContested });
      else removals.set(was.id, { conflict, isContested });
    }
  return removals;
}

const withoutPlace = (item: GraphNode | GraphEdge): object => ({ ...item, position: null });

interface Sides {
  base: Draft;
  mine: Draft;
  theirs: Draft;
  removals: ReadonlyMap<string, Removal>;
}

function assemble(fields: Fields, sides: Sides): Draft {
  const { mine, theirs, removals } = sides;
  const elements = new Map<string, Record<string, unknown> & { data: Record<string, unknown> }>();
  const parts = { settings: {}, values: {}, rest: {} } as Record<string, Record<string, unknown>>;
  let name = mine.name;
  for (const { of, id, field, value } of fields.values()) {
    if (of === 'agent') name = String(value);
    else if (id === null) {
      const part = parts[of];
      if (part !== undefined) part[field] = value;
    } else {
      const item = elements.get(id) ?? { data: {} };
      elements.set(id, item);
      if (field.startsWith('data.')) item.data[field.slice('data.'.length)] = value;
      else item[field] = value;
    }
  }
  // A kept element, of which the other side has nothing, is whole.
  for (const item of [...mine.nodes, ...mine.edges])
    if (removals.has(`kept ${item.id}`)) elements.set(item.id, { ...item, data: { ...item.data } });
  const listed = (part: 'nodes' | 'edges') =>
    order(sides, part)
      .filter((id) => !removals.has(id))
      .flatMap((id) => elements.get(id) ?? [])
      .filter((item) => isObject(item));
  const nodes = listed('nodes') as unknown as GraphNode[];
  const ids = new Set(nodes.map(({ id }) => id));
  const known = new Set([...mine.nodes, ...theirs.nodes].map(({ id }) => id));
  const edges = (listed('edges') as unknown as GraphEdge[]).filter(({ source, target }) =>
    // A new transition of one side to a node that the other has removed would lead nowhere.
    [source, target].every((id) => ids.has(id) || !known.has(id)),
  );
  return {
    name,
    nodes,
    edges,
    rest: parts['rest'] ?? {},
    settings: parts['settings'] ?? {},
    values: parts['values'] ?? {},
  };
}

/** Keeps my order if I changed it, otherwise theirs. Added ids follow, in the same order for both sides. */
function order({ base, mine, theirs }: Sides, part: 'nodes' | 'edges'): string[] {
  const idsOf = (draft: Draft) => draft[part].map(({ id }) => id);
  const before = new Set(idsOf(base));
  const old = (draft: Draft) => idsOf(draft).filter((id) => before.has(id));
  const isMoved = (draft: Draft) => {
    const kept = new Set(old(draft));
    return !sameJson(
      old(draft),
      idsOf(base).filter((id) => kept.has(id)),
    );
  };
  const leading = isMoved(mine) ? old(mine) : isMoved(theirs) ? old(theirs) : idsOf(base);
  const rest = idsOf(base).filter((id) => !leading.includes(id));
  const added = [...idsOf(mine), ...idsOf(theirs)].filter((id) => !before.has(id));
  const isOneSided = [mine, theirs].some((draft) => idsOf(draft).every((id) => before.has(id)));
  return [...leading, ...rest, ...(isOneSided ? added : [...new Set(added)].toSorted())];
}

/** The draft with one conflict settled as they have it. */
export function takeTheirs(draft: Draft, { of, id, field, theirs }: Conflict): Draft {
  if (of === 'agent') return { ...draft, name: String(theirs) };
  if (of === 'settings' || of === 'values' || of === 'rest')
    return field === null ? draft : { ...draft, [of]: withField(draft[of], field, theirs) };
  const part = of === 'node' ? 'nodes' : 'edges';
  const list: readonly (GraphNode | GraphEdge)[] = draft[part];
  if (field === null) {
    const others = list.filter((item) => item.id !== id);
    return { ...draft, [part]: theirs === undefined ? others : [...others, theirs] };
  }
  return {
    ...draft,
    [part]: list.map((item) => {
      if (item.id !== id) return item;
      return field.startsWith('data.')
        ? { ...item, data: withField(item.data, field.slice('data.'.length), theirs) }
        : withField(item, field, theirs);
    }),
  };
}

const withField = (object: Readonly<Record<string, unknown>>, key: string, value: unknown) =>
  value === undefined
    ? Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))
    : { ...object, [key]: value };
