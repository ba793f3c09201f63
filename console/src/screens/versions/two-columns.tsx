import { diffWordsWithSpace } from 'diff';
import { useEffect, useMemo, useRef } from 'react';
import { t } from '../../app/words.ts';
import { cx } from '../../parts/cx.ts';
import type { Block, Cell } from './columns.ts';

/** The fields that differ, the earlier version beside the later one. */
export function TwoColumns({
  blocks,
  label,
  from,
  to,
  selected,
}: {
  blocks: readonly Block[];
  label: string;
  from: number;
  to: number;
  /** `node …` or `edge …`. */
  selected: string | null;
}) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = frame.current;
    if (place === null || selected === null) return;
    const chosen = place.querySelector(`[data-key="${CSS.escape(selected)}"]`)?.getBoundingClientRect();
    const head = place.querySelector('thead')?.getBoundingClientRect();
    // Only the columns scroll: on a phone the page itself stays at what was chosen.
    if (chosen !== undefined && head !== undefined)
      place.scrollBy({ top: chosen.top - place.getBoundingClientRect().top - head.height });
  }, [selected]);
  return (
    <div className="two-columns" ref={frame} role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">v{from}</th>
            <th scope="col">v{to}</th>
          </tr>
        </thead>
        {blocks.map(({ change, cells }) => {
          const key = `${change.of} ${change.id}`;
          return (
            <tbody key={key} data-key={key} className={cx(selected === key && 'is-selected')}>
              <tr>
                <th scope="rowgroup" colSpan={2}>
                  <span className={cx('sign', `is-${change.kind}`)} aria-hidden>
                    {change.kind === 'added' ? '+' : change.kind === 'removed' ? '–' : '~'}
                  </span>
                  {titleOf(change)}
                </th>
              </tr>
              {cells.map((cell) => (
                <Fields key={cell.field} cell={cell} />
              ))}
            </tbody>
          );
        })}
      </table>
    </div>
  );
}

function titleOf({ of, name, source, target }: Block['change']): string {
  if (of === 'node') return name;
  if (of === 'edge') return t('versions.way', { name, source, target });
  return t(`versions.blockOf.${of}`);
}

function Fields({ cell: { field, before, after } }: { cell: Cell }) {
  const parts = useMemo(() => diffWordsWithSpace(before, after), [before, after]);
  return (
    <tr>
      <td>
        <span className="caps">{field}</span>
        <p>
          {before === ''
            ? '–'
            : parts
                .filter(({ added }) => !added)
                .map(({ removed, value }, index) => (removed ? <del key={index}>{value}</del> : value))}
        </p>
      </td>
      <td>
        <span className="caps">{field}</span>
        <p>
          {after === ''
            ? '–'
            : parts
                .filter(({ removed }) => !removed)
                .map(({ added, value }, index) => (added ? <ins key={index}>{value}</ins> : value))}
        </p>
      </td>
    </tr>
  );
}
