import type { WorkflowOverview } from '../../../../src/contract/agent-overviews.ts';

export const sortKeys = ['name', 'folder', 'calls', 'p95', 'changed'] as const;
export type SortKey = (typeof sortKeys)[number];

/** What the URL of the list of agents says. `folder` is an id, `none` or `archived`; absent: all active ones. */
export interface AgentsSearch {
  q?: string;
  folder?: string;
  sort?: SortKey;
  order?: 'asc' | 'desc';
}

export function readSearch(raw: Record<string, unknown>): AgentsSearch {
  const folder = typeof raw['folder'] === 'number' ? String(raw['folder']) : raw['folder'];
  const q = typeof raw['q'] === 'number' ? String(raw['q']) : raw['q'];
  const sort = sortKeys.find((each) => each === raw['sort']);
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(typeof folder === 'string' && /^(none|archived|[1-9][0-9]{0,14})$/.test(folder) ? { folder } : {}),
    ...(sort === undefined ? {} : { sort }),
    ...(raw['order'] === 'asc' || raw['order'] === 'desc' ? { order: raw['order'] } : {}),
  };
}

/** The sort of a URL; numbers and times begin with the largest, names with the first. */
export function sortOf({ sort = 'changed', order }: AgentsSearch): { key: SortKey; order: 'asc' | 'desc' } {
  return { key: sort, order: order ?? (sort === 'name' || sort === 'folder' ? 'asc' : 'desc') };
}

/** Agents of a folder, whose name, folder or use has every word of the filter, sorted. */
export function selectAgents(
  agents: readonly WorkflowOverview[],
  search: AgentsSearch,
): readonly WorkflowOverview[] {
  const words = (search.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const { key, order } = sortOf(search);
  const sign = order === 'asc' ? 1 : -1;
  return agents
    .filter(
      (agent) => isInFolder(agent, search.folder) && words.every((word) => textOf(agent).includes(word)),
    )
    .toSorted((one, other) => sign * compare(valueOf(one, key), valueOf(other, key)) || other.id - one.id);
}

export const isInFolder = ({ status, folder }: WorkflowOverview, wanted: string | undefined): boolean =>
  (status === 'archived') === (wanted === 'archived') &&
  (wanted === undefined || wanted === 'archived' || wanted === String(folder?.id ?? 'none'));

const textOf = ({ name, folder, used_by: use }: WorkflowOverview): string =>
  [
    name,
    folder?.name ?? '',
    ...use.phone_numbers.map(({ address }) => address),
    ...use.campaigns.map((campaign) => campaign.name),
  ]
    .join(' ')
    .toLowerCase();

function valueOf(agent: WorkflowOverview, key: SortKey): string | number {
  switch (key) {
    case 'name':
      return agent.name;
    case 'folder':
      return agent.folder?.name ?? '';
    case 'calls':
      return agent.last_7_days.calls;
    case 'p95':
      return agent.last_7_days.latency_p95_ms ?? -1;
    case 'changed':
      return Date.parse(agent.changed_at);
  }
}

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const compare = (one: string | number, other: string | number): number =>
  typeof one === 'string' ? names.compare(one, String(other)) : one - Number(other);

/** Calls, and what they came to. */
export type Counted = Pick<WorkflowOverview['last_7_days'], 'calls' | 'outcomes'>;

/** The most frequent outcomes with their share; what is left is `other`, calls without an outcome `none`. */
export function outcomesOf({ calls, outcomes }: Counted): {
  parts: { name: string; calls: number }[];
  rest: number;
} {
  const sorted = outcomes.toSorted((one, other) => other.calls - one.calls);
  const parts = sorted.slice(0, 4).map(({ disposition, calls: n }) => ({ name: disposition, calls: n }));
  return { parts, rest: Math.max(0, calls - parts.reduce((sum, each) => sum + each.calls, 0)) };
}

export const ways = ['template', 'description', 'blank', 'import'] as const;
export type Way = (typeof ways)[number];

/** How the page of a new agent begins. */
export function readNewSearch(raw: Record<string, unknown>): { way?: Way } {
  const way = ways.find((each) => each === raw['way']);
  return way === undefined ? {} : { way };
}
