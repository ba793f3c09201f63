import { Ellipsis } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import type { WorkflowOverview } from '../../../../src/contract/agent-overviews.ts';
import { count, seconds } from '../../app/format.ts';
import { initials } from '../../app/initials.ts';
import { useKeys } from '../../app/shortcuts.ts';
import { t } from '../../app/words.ts';
import { State } from '../../parts/badge.tsx';
import { cx } from '../../parts/cx.ts';
import { type Column, DataList } from '../../parts/data-list.tsx';
import { GraphThumb } from '../../parts/graph-thumb.tsx';
import { Menu, type MenuEntry } from '../../parts/menu.tsx';
import { extended, nothing, type Selection, toggled, withPage } from '../../parts/selection.ts';
import { When } from '../../parts/when.tsx';
import { type AgentsSearch, type SortKey, sortKeys, sortOf } from './filter.ts';
import { OutcomeBar } from './outcome-bar.tsx';
import { useInShort } from './use-of.ts';

/** Above it a reply is felt as slow. */
const slowMs = 1800;

const keys = { x: t('agents.selectRow') };

/** The agents as rows. */
export function AgentTable({
  rows,
  search,
  selection,
  onSelect,
  onSort,
  entriesOf,
}: {
  rows: readonly WorkflowOverview[];
  search: AgentsSearch;
  selection: Selection<WorkflowOverview>;
  onSelect: (selection: Selection<WorkflowOverview>) => void;
  onSort: (change: { sort: SortKey; order: string }) => void;
  entriesOf: (agent: WorkflowOverview) => readonly MenuEntry[];
}) {
  const sort = sortOf(search);
  const page = new Map(rows.map((agent) => [idOf(agent), agent]));
  const isSelected = (agent: WorkflowOverview) => selection.rows.has(idOf(agent));
  const select = (agent: WorkflowOverview, isRange: boolean) =>
    onSelect(isRange ? extended(selection, page, idOf(agent)) : toggled(selection, idOf(agent), agent));
  useKeys(keys, {
    x: () => {
      const agent = page.get(document.activeElement?.closest('tr')?.dataset['row'] ?? '');
      if (agent !== undefined) select(agent, false);
    },
  });
  const hasFolders = rows.some(({ folder }) => folder !== null);
  return (
    <DataList
      label={t('frame.agents')}
      className="agents"
      isTall
      rows={rows}
      idOf={idOf}
      linkOf={linkOf}
      selecting={{
        label: t('agents.selectAll'),
        isSelected,
        onSelect: select,
        nameOf: ({ name }) => t('agents.select', { name }),
        onSelectAll: () => onSelect(rows.every(isSelected) ? nothing() : withPage(selection, page)),
      }}
      sort={{ id: sort.key, direction: sort.order === 'asc' ? 'ascending' : 'descending' }}
      sortable={sortKeys}
      onSort={(id) => {
        const key = sortKeys.find((each) => each === id) ?? sort.key;
        const turned = sort.order === 'asc' ? 'desc' : 'asc';
        onSort({ sort: key, order: key === sort.key ? turned : sortOf({ sort: key }).order });
      }}
      columns={[
        ...before,
        ...(hasFolders ? [inFolder] : []),
        ...after,
        {
          id: 'menu',
          label: t('agents.column.menu'),
          isLabelHidden: true,
          className: 'col-menu',
          cell: (agent) => <RowMenu agent={agent} entriesOf={entriesOf} />,
        },
      ]}
    />
  );
}

const idOf = ({ id }: WorkflowOverview): string => String(id);
const linkOf = ({ id }: WorkflowOverview) => ({
  to: '/agents/$agentId' as const,
  params: { agentId: String(id) },
});

const before: readonly Column<WorkflowOverview>[] = [
  {
    id: 'picture',
    label: t('agents.column.picture'),
    isLabelHidden: true,
    isWide: true,
    className: 'col-picture',
    cell: ({ outline }) => <GraphThumb outline={outline} />,
  },
  {
    id: 'name',
    label: t('agents.column.name'),
    isMain: true,
    className: 'col-name',
    cell: ({ id, name }) => (name === '' ? t('agents.unnamed', { id }) : name),
    below: (agent) => (
      <span className="agent-states">
        <States agent={agent} />
        <span className="only-s text-hint text-12">{t('agents.calls', { n: agent.last_7_days.calls })}</span>
      </span>
    ),
  },
];
const inFolder: Column<WorkflowOverview> = {
  id: 'folder',
  label: t('agents.column.folder'),
  className: 'col-folder t-2',
  cell: ({ folder }) => folder?.name ?? '',
};
const after: readonly Column<WorkflowOverview>[] = [
  {
    id: 'outcomes',
    label: t('agents.column.outcomes'),
    isWide: true,
    className: 'col-outcomes',
    cell: ({ last_7_days: week }) => <OutcomeBar of={week} />,
  },
  {
    id: 'calls',
    label: t('agents.column.calls'),
    isNumber: true,
    isWide: true,
    cell: ({ last_7_days: week }) => count(week.calls),
  },
  {
    id: 'p95',
    label: t('agents.column.p95'),
    isNumber: true,
    isWide: true,
    cell: ({ last_7_days: { latency_p95_ms: ms } }) => (
      <span className={cx((ms ?? 0) > slowMs && 'text-warn-text')}>{ms === null ? '–' : seconds(ms)}</span>
    ),
  },
  {
    id: 'use',
    label: t('agents.column.use'),
    className: 'col-use t-2',
    cell: (agent) => <span className="cut block">{useInShort(agent)}</span>,
  },
  {
    id: 'changed',
    label: t('agents.column.changed'),
    isWide: true,
    className: 't-2',
    cell: ({ changed_by: by, changed_at: at }) => (
      <span className="row">
        {by !== null && (
          <span className="face s" aria-hidden>
            {initials(by.name ?? '•')}
          </span>
        )}
        <span>
          <span className="vh">{by?.name ?? ''} </span>
          <When at={at} />
        </span>
      </span>
    ),
  },
];

function RowMenu({
  agent,
  entriesOf,
}: {
  agent: WorkflowOverview;
  entriesOf: (agent: WorkflowOverview) => readonly MenuEntry[];
}) {
  const actions = t('agents.actions', { name: agent.name });
  return (
    <Menu
      label={actions}
      trigger={
        <AriaButton className="btn ghost icon" aria-label={actions}>
          <Ellipsis className="i" aria-hidden size={16} strokeWidth={1.5} />
        </AriaButton>
      }
      entries={() => entriesOf(agent)}
    />
  );
}

function States({ agent: { published, draft, problems, status } }: { agent: WorkflowOverview }) {
  return (
    <>
      {status === 'archived' && <State is="none">{t('agents.archivedTab')}</State>}
      {published !== null && <State is="published">{`v${published.version_number}`}</State>}
      {draft !== null &&
        (published === null ? (
          <State is="none">{t('agents.draftOnly')}</State>
        ) : (
          <State is="draft">{t('agents.draftAhead', { n: draft.changes })}</State>
        ))}
      {problems > 0 && <State is="bad">{t('agents.problems', { n: problems })}</State>}
    </>
  );
}
