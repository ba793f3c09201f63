import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { count } from '../../app/format.ts';
import { t } from '../../app/words.ts';
import { cx } from '../../parts/cx.ts';
import { findingsByCell, repeated, severityOf, wholeRow } from './cell-findings.ts';
import { faultText } from './finding-text.ts';
import { CellPopover } from './cell-popover.tsx';
import type { GridRow, GridRows } from './rows.ts';
import { scrollTo, viewOf } from './window.ts';

const rowHeight = 30;

/** A cell by its row and its column; the number of the row is column -1. */
export interface Place {
  row: number;
  column: number;
}

/**
 * The rows of a file as a grid, of which those in view are drawn. Arrow keys move between cells, Enter opens the
 * findings of one, F8 goes to the next cell with a finding.
 */
export function Grid({
  label,
  rows,
  columns,
  phone,
  numberLabel,
  head,
  counts,
  onNumber,
  begin = null,
  onElsewhere,
  onShowOnly,
  nextWith,
}: {
  label: string;
  rows: GridRows;
  columns: readonly string[];
  phone: string | null;
  numberLabel: string;
  head: (column: string) => ReactNode;
  /** Rows by finding, as far as they are known. */
  counts: Readonly<Record<string, number>> | null;
  /** Makes a line of the file the header. */
  onNumber?: ((line: number) => void) | undefined;
  /** Number of the row to begin at. */
  begin?: number | null;
  /** Shows a row that is not among these. */
  onElsewhere?: ((number: number) => void) | undefined;
  onShowOnly?: ((code: string) => void) | undefined;
  /** Number of the next row with a finding. */
  nextWith?: ((code: string, after: number) => Promise<number | null>) | undefined;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState({ scrollTop: 0, seen: 600 });
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  const [opened, setOpened] = useState<(Place & { anchor: HTMLElement | null }) | null>(null);
  const wantsFocus = useRef(false);
  const { count: total, rowAt, onView } = rows;
  const view = viewOf({ rows: total, rowHeight, ...scrolled });

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => {
      const seen = Math.max(rowHeight, element.clientHeight - headHeight(element));
      setScrolled({ scrollTop: element.scrollTop, seen });
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  useEffect(() => onView(view.first, view.end), [onView, view.first, view.end]);
  useEffect(() => {
    if (!wantsFocus.current) return;
    const cell = cellAt(scroller.current, active);
    if (cell === null) return;
    wantsFocus.current = false;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });

  const go = (place: Place) => {
    const row = Math.max(0, Math.min(total - 1, place.row));
    const column = Math.max(wholeRow, Math.min(columns.length - 1, place.column));
    wantsFocus.current = true;
    setActive({ row, column });
    scroller.current?.scrollTo({ top: scrollTo(row, { rows: total, rowHeight, ...scrolled }) });
  };
  const first = begin === null ? undefined : rows.indexOf?.(begin);
  useEffect(() => {
    if (first !== undefined) go({ row: first, column: 0 });
    // oxlint-disable-next-line react/exhaustive-deps -- where it begins, once
  }, []);
  const nextFinding = (by: 1 | -1) => {
    for (let row = active.row; row >= 0 && row < total; row += by) {
      const found = rowAt(row);
      if (found === undefined) return;
      const findings = found.findings.filter(({ code }) => code !== repeated);
      const marked = [...findingsByCell(findings, columns, phone).keys()].toSorted((a, b) => (a - b) * by);
      const column = marked.find((each) => row !== active.row || (each - active.column) * by > 0);
      if (column !== undefined) return go({ row, column });
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { row, column } = active;
    const page = Math.max(1, Math.floor(scrolled.seen / rowHeight) - 1);
    const moves: Record<string, () => void> = {
      ArrowDown: () => go({ row: row + 1, column }),
      ArrowUp: () => go({ row: row - 1, column }),
      ArrowRight: () => go({ row, column: column + 1 }),
      ArrowLeft: () => go({ row, column: column - 1 }),
      PageDown: () => go({ row: row + page, column }),
      PageUp: () => go({ row: row - page, column }),
      Home: () => go({ row: event.ctrlKey ? 0 : row, column: event.ctrlKey ? column : wholeRow }),
      End: () =>
        go({ row: event.ctrlKey ? total - 1 : row, column: event.ctrlKey ? column : columns.length - 1 }),
      F8: () => nextFinding(event.shiftKey ? -1 : 1),
      Enter: () => open(active),
    };
    const move = moves[event.key];
    if (move === undefined || !(event.target instanceof Element) || event.target.tagName !== 'TD') return;
    event.preventDefault();
    move();
  };
  const open = (place: Place) => {
    const row = rowAt(place.row);
    if (row === undefined) return;
    if (findingsByCell(row.findings, columns, phone).has(place.column))
      setOpened({ ...place, anchor: cellAt(scroller.current, place) });
    else if (place.column === wholeRow && row.kind !== 'row') onNumber?.(row.number);
  };
  const openedRow = opened === null ? undefined : rowAt(opened.row);
  const jump = (number: number) => {
    setOpened(null);
    const index = rows.indexOf?.(number);
    if (index !== undefined) go({ row: index, column: opened?.column ?? 0 });
  };

  return (
    <div
      ref={scroller}
      className="grid-scroll"
      onScroll={({ currentTarget }) => setScrolled((now) => ({ ...now, scrollTop: currentTarget.scrollTop }))}
    >
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table whose cells take the focus
        role="grid"
        className="contact-grid"
        aria-label={label}
        aria-rowcount={total + 1}
        aria-colcount={columns.length + 1}
        onKeyDown={onKeyDown}
        onFocus={({ target }) => {
          const place = placeOf(target);
          if (place !== null && (place.row !== active.row || place.column !== active.column))
            setActive(place);
        }}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" className="number">
              {numberLabel}
            </th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {head(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {view.top > 0 && <Gap height={view.top} />}
          {Array.from({ length: view.end - view.first }, (_, offset) => view.first + offset).map((index) => (
            <Row
              key={index}
              index={index}
              row={rowAt(index)}
              columns={columns}
              phone={phone}
              active={active.row === index ? active.column : null}
              onNumber={onNumber}
              onPress={(column) => {
                setActive({ row: index, column });
                open({ row: index, column });
              }}
            />
          ))}
          <Gap height={view.height - view.top - (view.end - view.first) * rowHeight} />
        </tbody>
      </table>
      {opened !== null && openedRow !== undefined && (
        <CellPopover
          anchor={opened.anchor}
          row={openedRow}
          numberLabel={numberLabel}
          findings={findingsByCell(openedRow.findings, columns, phone).get(opened.column) ?? []}
          counts={counts}
          onShowOnly={onShowOnly}
          onRow={rows.indexOf === undefined ? onElsewhere : jump}
          onNext={
            nextWith === undefined || rows.indexOf === undefined
              ? undefined
              : async (code) => {
                  const next = await nextWith(code, openedRow.number);
                  if (next !== null) jump(next);
                }
          }
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}

const headHeight = (scroller: HTMLElement): number => scroller.querySelector('thead')?.clientHeight ?? 0;

const cellAt = (scroller: HTMLElement | null, { row, column }: Place): HTMLElement | null =>
  scroller?.querySelector<HTMLElement>(`tr[data-index="${row}"] > [data-column="${column}"]`) ?? null;

/** The place of a cell that has the focus. */
function placeOf(element: HTMLElement): Place | null {
  const { column } = element.dataset;
  const index = element.parentElement?.dataset['index'];
  return column === undefined || index === undefined ? null : { row: Number(index), column: Number(column) };
}

/** The rows that are not drawn. */
function Gap({ height }: { height: number }) {
  return height <= 0 ? null : (
    <tr aria-hidden className="gap">
      <td style={{ height }} />
    </tr>
  );
}

function Row({
  index,
  row,
  columns,
  phone,
  active,
  onNumber,
  onPress,
}: {
  index: number;
  row: GridRow | undefined;
  columns: readonly string[];
  phone: string | null;
  /** The column that has the focus, or would get it. */
  active: number | null;
  onNumber: ((line: number) => void) | undefined;
  onPress: (column: number) => void;
}) {
  const marked = row === undefined ? null : findingsByCell(row.findings, columns, phone);
  const cell = (column: number, content: ReactNode, className?: string) => {
    const findings = marked?.get(column) ?? [];
    return (
      <td
        key={column}
        data-column={column}
        tabIndex={active === column ? 0 : -1}
        className={cx(className, findings.length > 0 && `f is-${severityOf(findings)}`)}
        onClick={() => onPress(column)}
      >
        {content}
        {findings.length > 0 && <span className="vh">. {findings.map(faultText).join('. ')}</span>}
      </td>
    );
  };
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      className={cx(row !== undefined && `is-${row.kind}`, row?.isLeftOut === true && 'out')}
    >
      {cell(
        wholeRow,
        row !== undefined && onNumber !== undefined && row.kind !== 'header' ? (
          <button
            type="button"
            tabIndex={-1}
            title={t('contacts.makeHeader')}
            onClick={(event) => {
              event.stopPropagation();
              onNumber(row.number);
            }}
          >
            {count(row.number)}
          </button>
        ) : row === undefined ? (
          ''
        ) : (
          count(row.number)
        ),
        'number',
      )}
      {columns.map((name, column) => {
        if (row === undefined) return cell(column, <span className="skel" />);
        const text = row.cells[column] ?? '';
        return cell(
          column,
          name === phone && row.phone_number !== null ? (
            <span className="as-dialed">
              <span className={cx('cut', 'raw')}>{text}</span>
              <span className="mono">+{row.phone_number}</span>
            </span>
          ) : text === '' && marked?.has(column) === true ? (
            <em className="text-muted">{t('contacts.emptyCell')}</em>
          ) : (
            text
          ),
        );
      })}
    </tr>
  );
}
