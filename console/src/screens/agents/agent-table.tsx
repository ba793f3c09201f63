import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Ellipsis } from 'lucide-react';
import { memo, useMemo, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { WorkflowOverview } from '../../../../src/contract/agent-overviews.ts';
import { count, seconds } from '../../app/format.ts';
import { initials } from '../../app/initials.ts';
import { useRowKeys } from '../../app/row-keys.ts';
import { type Shortcut, useShortcuts } from '../../app/shortcuts.ts';
import { useStable } from '../../app/stable.ts';
import { t } from '../../app/words.ts';
import { State } from '../../parts/badge.tsx';
import { cx } from '../../parts/cx.ts';
import { Checkbox } from '../../parts/checkbox.tsx';
import { GraphThumb } from '../../parts/graph-thumb.tsx';
import { Menu, type MenuEntry } from '../../parts/menu.tsx';
import { When } from '../../parts/when.tsx';
import { type AgentsSearch, type SortKey, sortOf } from './filter.ts';
import { OutcomeBar } from './outcome-bar.tsx';
import { useInShort } from './use-of.ts';

const rowHeight = 58;
const maxPlainRows = 100;
/** Above it a reply is felt as slow. */
const slowMs = 1800;

const columns: readonly { id: string; sort?: SortKey; isNumber?: boolean; isHidden?: boolean }[] = [
  { id: 'picture', isHidden: true },
  { id: 'name', sort: 'name' },
  { id: 'folder', sort: 'folder' },
  { id: 'outcomes' },
  { id: 'calls', sort: 'calls', isNumber: true },
  { id: 'p95', sort: 'p95', isNumber: true },
  { id: 'use' },
  { id: 'changed', sort: 'changed' },
  { id: 'menu', isHidden: true },
];

/** The agents as rows; above a hundred only those in view are drawn. */
export function AgentTable({
  rows,
  search,
  scroller,
  selected,
  onSelect,
  onSort,
  entriesOf,
}: {
  rows: readonly WorkflowOverview[];
  search: AgentsSearch;
  /** What scrolls the table; null until it is there. */
  scroller: HTMLDivElement | null;
  selected: ReadonlySet<number>;
  onSelect: (ids: ReadonlySet<number>) => void;
  onSort: (change: { sort: SortKey; order: string }) => void;
  entriesOf: (agent: WorkflowOverview) => readonly MenuEntry[];
}) {
  const isVirtual = rows.length > maxPlainRows;
  const virtual = useVirtualizer({
    count: rows.length,
    enabled: isVirtual,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    overscan: 4,
  });
  const drawn = isVirtual ? virtual.getVirtualItems() : rows.map((_, index) => ({ index, start: 0, end: 0 }));
  const above = isVirtual ? (drawn[0]?.start ?? 0) : 0;
  const below = isVirtual ? virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0) : 0;
  const sort = sortOf(search);
  const table = useRef<HTMLTableElement>(null);
  const [last, setLast] = useState<number | null>(null);

  const toggle = (id: number, isRange: boolean) => {
    const next = new Set(selected);
    const at = (wanted: number | null) => rows.findIndex((each) => each.id === wanted);
    const index = at(id);
    const from = isRange && at(last) >= 0 ? at(last) : index;
    const isOn = !selected.has(id);
    for (const each of rows.slice(Math.min(from, index), Math.max(from, index) + 1))
      if (isOn) next.add(each.id);
      else next.delete(each.id);
    setLast(id);
    onSelect(next);
  };
  const onToggle = useStable(toggle);
  const onMenu = useStable(entriesOf);
  const focusedId = useStable(() => {
    const index = Number(document.activeElement?.closest('tr')?.getAttribute('aria-rowindex') ?? 0) - 2;
    return rows[index]?.id ?? null;
  });
  useRowKeys();
  useShortcuts(
    useMemo<Shortcut[]>(
      () => [
        {
          keys: 'x',
          words: t('agents.selectRow'),
          run: () => {
            const id = focusedId();
            if (id !== null) onToggle(id, false);
          },
        },
      ],
      [onToggle, focusedId],
    ),
  );

  const all = rows.length > 0 && rows.every(({ id }) => selected.has(id));
  return (
    <table
      className={cx('table two agents', rows.every(({ folder }) => folder === null) && 'no-folders')}
      aria-label={t('frame.agents')}
      aria-rowcount={rows.length + 1}
      ref={table}
    >
      <thead>
        <tr aria-rowindex={1}>
          <th scope="col" className="sel">
            <Checkbox
              label={t('agents.selectAll')}
              isSelected={all}
              isIndeterminate={!all && selected.size > 0}
              onChange={() => onSelect(all ? new Set() : new Set(rows.map(({ id }) => id)))}
            />
          </th>
          {columns.map(({ id, sort: key, isNumber, isHidden }) => (
            <th
              key={id}
              scope="col"
              className={cx(`col-${id}`, isNumber && 'num')}
              {...(key === sort.key
                ? { 'aria-sort': sort.order === 'asc' ? ('ascending' as const) : ('descending' as const) }
                : {})}
            >
              {isHidden === true ? (
                <span className="vh">{t(`agents.column.${id}`)}</span>
              ) : key === undefined ? (
                t(`agents.column.${id}`)
              ) : (
                <button
                  type="button"
                  className="min-h-6"
                  onClick={() => {
                    const order =
                      key === sort.key
                        ? sort.order === 'asc'
                          ? 'desc'
                          : 'asc'
                        : sortOf({ sort: key }).order;
                    onSort({ sort: key, order });
                  }}
                >
                  {t(`agents.column.${id}`)}
                  {key === sort.key && <span aria-hidden> {sort.order === 'asc' ? '↑' : '↓'}</span>}
                </button>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {above > 0 && <Gap height={above} />}
        {drawn.map(({ index }) => {
          const agent = rows[index];
          if (agent === undefined) return null;
          return (
            <tr
              key={agent.id}
              className="is-link"
              aria-rowindex={index + 2}
              aria-selected={selected.has(agent.id)}
            >
              <Cells
                agent={agent}
                isSelected={selected.has(agent.id)}
                onToggle={onToggle}
                entriesOf={onMenu}
              />
            </tr>
          );
        })}
        {below > 0 && <Gap height={below} />}
      </tbody>
    </table>
  );
}

export const pathOf = ({ id }: WorkflowOverview): string => `/agents/${id}`;

/** Drawn again only if the agent or its selection has changed. */
const Cells = memo(
  ({
    agent,
    isSelected,
    onToggle,
    entriesOf,
  }: {
    agent: WorkflowOverview;
    isSelected: boolean;
    onToggle: (id: number, isRange: boolean) => void;
    entriesOf: (agent: WorkflowOverview) => readonly MenuEntry[];
  }) => {
    const isShift = useRef(false);
    const { last_7_days: week, folder, changed_by: by } = agent;
    const actions = t('agents.actions', { name: agent.name });
    return (
      <>
        <td className="sel" onClickCapture={(event) => (isShift.current = event.shiftKey)}>
          <Checkbox
            label={t('agents.select', { name: agent.name })}
            isSelected={isSelected}
            onChange={() => onToggle(agent.id, isShift.current)}
          />
        </td>
        <td className="col-picture">
          <GraphThumb outline={agent.outline} />
        </td>
        <td className="name col-name">
          <Link to={pathOf(agent)} className="row-link font-semibold">
            {agent.name === '' ? t('agents.unnamed', { id: agent.id }) : agent.name}
          </Link>
          <span className="agent-states">
            <States agent={agent} />
            <span className="only-s text-hint text-12">{t('agents.calls', { n: week.calls })}</span>
          </span>
        </td>
        <td className="t-2 col-folder">{folder?.name ?? ''}</td>
        <td className="col-outcomes">
          <OutcomeBar of={week} />
        </td>
        <td className="num col-calls">{count(week.calls)}</td>
        <td className={cx('num col-p95', (week.latency_p95_ms ?? 0) > slowMs && 'text-warn-text')}>
          {week.latency_p95_ms === null ? '–' : seconds(week.latency_p95_ms)}
        </td>
        <td className="t-2 col-use">
          <span className="cut block">{useInShort(agent)}</span>
        </td>
        <td className="t-2 col-changed">
          <span className="row">
            {by !== null && (
              <span className="face s" aria-hidden>
                {initials(by.name ?? '•')}
              </span>
            )}
            <span>
              <span className="vh">{by?.name ?? ''} </span>
              <When at={agent.changed_at} />
            </span>
          </span>
        </td>
        <td className="col-menu">
          <Menu
            label={actions}
            trigger={
              <AriaButton className="btn ghost icon" aria-label={actions}>
                <Ellipsis className="i" aria-hidden size={16} strokeWidth={1.5} />
              </AriaButton>
            }
            entries={() => entriesOf(agent)}
          />
        </td>
      </>
    );
  },
);
Cells.displayName = 'Cells';

const Gap = ({ height }: { height: number }) => (
  <tr aria-hidden>
    <td colSpan={columns.length + 1} style={{ height, border: 0, padding: 0 }} />
  </tr>
);

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
