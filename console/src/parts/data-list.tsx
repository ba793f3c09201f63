import { Link, type LinkProps } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useRowHeight } from '../app/density.ts';
import { useRowKeys } from '../app/row-keys.ts';
import { cx } from './cx.ts';
import { useListColumns } from './list-columns.tsx';
import { useVirtualRows } from './virtual-rows.ts';

export interface Column<Row> {
  id: string;
  label: string;
  /** Read out, not shown: a column of pictures or menus. */
  isLabelHidden?: boolean;
  isNumber?: boolean;
  /** Left out below 640 px. */
  isWide?: boolean;
  width?: string;
  /** Its cell links to the row's page. Absent: the first shown column. */
  isMain?: boolean;
  /** Of its cells and its head. */
  className?: string;
  cell: (row: Row) => ReactNode;
  /** What stands below the link of the main cell. */
  below?: (row: Row) => ReactNode;
}

/** Boxes that choose rows. */
export interface Selecting<Row> {
  /** The head of the column, as it is read out. */
  label: string;
  isSelected: (row: Row) => boolean;
  /** `isRange`: with all rows since the one that was last chosen. */
  onSelect: (row: Row, isRange: boolean) => void;
  /** What the box of a row is called. */
  nameOf: (row: Row) => string;
  /** A box in the head that chooses all rows, or none. */
  onSelectAll?: () => void;
}

/** So many rows before the end, more are asked for. */
const rowsAhead = 20;

/**
 * The table of every list. The cell of the main column links to the row's page (`linkOf`), so that it
 * opens by keyboard and in a new tab; a press anywhere in the row follows it. Of many rows, those in view are drawn.
 */
export function DataList<Row>({
  label,
  rows,
  columns,
  idOf,
  linkOf,
  isTall = false,
  sort,
  onSort,
  sortable,
  selectedId,
  selecting,
  isPart = false,
  page = { offset: 0, total: rows.length },
  onEnd,
  hasOwnChooser = false,
  className,
}: {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  linkOf?: (row: Row) => Pick<LinkProps, 'to' | 'params' | 'search' | 'resetScroll'>;
  isTall?: boolean;
  sort?: { id: string; direction: 'ascending' | 'descending' };
  onSort?: (id: string) => void;
  /** Ids of the columns that the server sorts by. Absent: all. */
  sortable?: readonly string[];
  /** The row that keys act on, or that a panel shows. */
  selectedId?: string | undefined;
  selecting?: Selecting<Row> | undefined;
  /** There are more rows, nobody knows how many. */
  isPart?: boolean;
  /** Where the rows stand in the whole list, if it is shown in pages. */
  page?: { offset: number; total: number };
  /** Called while the last rows are in view and there are more. */
  onEnd?: () => void;
  /** The page offers columns by itself. */
  hasOwnChooser?: boolean;
  className?: string;
}) {
  const main =
    columns.find(({ isMain }) => isMain === true) ??
    columns.find(({ isLabelHidden }) => isLabelHidden !== true);
  const { shown, chooser } = useListColumns(columns, main, !hasOwnChooser);
  const { ref, drawn, measure, above, below } = useVirtualRows(rows.length, useRowHeight(isTall));
  useRowKeys(linkOf !== undefined);
  const isAtEnd = isPart && (drawn.at(-1) ?? 0) >= rows.length - rowsAhead;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  });
  const width = shown.length + (selecting === undefined ? 0 : 1);
  return (
    <table
      ref={ref}
      className={cx('table', isTall && 'two', chooser !== null && 'has-view', className)}
      aria-label={label}
      aria-rowcount={isPart ? -1 : page.total + 1}
    >
      <thead>
        <tr aria-rowindex={1}>
          {selecting !== undefined && (
            <th scope="col" className="pick hide-s">
              <AllBox rows={rows} selecting={selecting} />
            </th>
          )}
          {shown.map(
            ({ id, label: name, isLabelHidden, isNumber, isWide, width: set, className: own }, at) => (
              <th
                key={id}
                scope="col"
                className={cx(isNumber && 'num', isWide && 'hide-s', own)}
                {...(set === undefined ? {} : { style: { width: set } })}
                {...(sort?.id === id ? { 'aria-sort': sort.direction } : {})}
              >
                {isLabelHidden === true ? (
                  <span className="vh">{name}</span>
                ) : onSort === undefined || sortable?.includes(id) === false ? (
                  name
                ) : (
                  <button type="button" className="min-h-6" onClick={() => onSort(id)}>
                    {name}
                    {sort?.id === id && (
                      <span aria-hidden> {sort.direction === 'ascending' ? '↑' : '↓'}</span>
                    )}
                  </button>
                )}
                {at === shown.length - 1 && chooser}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {above > 0 && <Gap height={above} columns={width} />}
        {drawn.map((index) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <tr
              key={idOf(row)}
              ref={measure}
              data-index={index}
              data-row={idOf(row)}
              aria-rowindex={page.offset + index + 2}
              className={linkOf === undefined ? undefined : 'is-link'}
              {...ariaSelected(
                selectedId === undefined ? selecting?.isSelected(row) : selectedId === idOf(row),
              )}
            >
              {selecting !== undefined && (
                <td className="pick hide-s">
                  <Box
                    label={selecting.nameOf(row)}
                    isOn={selecting.isSelected(row)}
                    onPress={(isRange) => selecting.onSelect(row, isRange)}
                  />
                </td>
              )}
              {shown.map((column) => (
                <td
                  key={column.id}
                  className={cx(
                    column.isNumber && 'num',
                    column.isWide && 'hide-s',
                    column === main && 'name',
                    column.className,
                  )}
                >
                  {column === main && linkOf !== undefined ? (
                    <>
                      <Link {...linkOf(row)} className="row-link">
                        {column.cell(row)}
                      </Link>
                      {column.below?.(row)}
                    </>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          );
        })}
        {below > 0 && <Gap height={below} columns={width} />}
      </tbody>
    </table>
  );
}

const ariaSelected = (isSelected: boolean | undefined) =>
  isSelected === undefined ? {} : { 'aria-selected': isSelected };

/** The box of the head, or the name of its column. */
function AllBox<Row>({ rows, selecting }: { rows: readonly Row[]; selecting: Selecting<Row> }) {
  const { label, isSelected, onSelectAll } = selecting;
  if (onSelectAll === undefined) return <span className="vh">{label}</span>;
  const chosen = rows.filter((row) => isSelected(row)).length;
  const isOn = chosen > 0 && (chosen === rows.length || 'mixed');
  return <Box label={label} isOn={isOn} onPress={onSelectAll} />;
}

function Box({
  label,
  isOn,
  onPress,
}: {
  label: string;
  isOn: boolean | 'mixed';
  onPress: (isRange: boolean) => void;
}) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isOn}
      aria-label={label}
      // A press with Shift would also select the words between.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={({ shiftKey }) => onPress(shiftKey)}
    >
      <span className={cx('check', isOn !== false && 'on')}>
        {isOn === 'mixed' ? '–' : isOn && <Check className="i" aria-hidden size={12} />}
      </span>
    </button>
  );
}

const Gap = ({ height, columns }: { height: number; columns: number }) => (
  <tr aria-hidden>
    <td colSpan={columns} style={{ height, border: 0, padding: 0 }} />
  </tr>
);
