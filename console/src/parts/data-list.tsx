import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
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
  cell: (row: Row) => ReactNode;
}

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
  isPart = false,
  hasOwnChooser = false,
  className,
}: {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  linkOf?: (row: Row) => Pick<LinkProps, 'to' | 'params' | 'search'>;
  isTall?: boolean;
  sort?: { id: string; direction: 'ascending' | 'descending' };
  onSort?: (id: string) => void;
  /** Ids of the columns that the server sorts by. Absent: all. */
  sortable?: readonly string[];
  /** The row that keys act on, or that a panel shows. */
  selectedId?: string | undefined;
  /** There are more rows, nobody knows how many. */
  isPart?: boolean;
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
  return (
    <table
      ref={ref}
      className={cx('table', isTall && 'two', chooser !== null && 'has-view', className)}
      aria-label={label}
      aria-rowcount={isPart ? -1 : rows.length + 1}
    >
      <thead>
        <tr aria-rowindex={1}>
          {shown.map(({ id, label: name, isLabelHidden, isNumber, isWide, width }, column) => (
            <th
              key={id}
              scope="col"
              className={cx(isNumber && 'num', isWide && 'hide-s')}
              {...(width === undefined ? {} : { style: { width } })}
              {...(sort?.id === id ? { 'aria-sort': sort.direction } : {})}
            >
              {isLabelHidden === true ? (
                <span className="vh">{name}</span>
              ) : onSort === undefined || sortable?.includes(id) === false ? (
                name
              ) : (
                <button type="button" className="min-h-6" onClick={() => onSort(id)}>
                  {name}
                  {sort?.id === id && <span aria-hidden> {sort.direction === 'ascending' ? '↑' : '↓'}</span>}
                </button>
              )}
              {column === shown.length - 1 && chooser}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {above > 0 && <Gap height={above} columns={shown.length} />}
        {drawn.map((index) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <tr
              key={idOf(row)}
              ref={measure}
              data-index={index}
              data-row={idOf(row)}
              aria-rowindex={index + 2}
              className={linkOf === undefined ? undefined : 'is-link'}
              {...(selectedId === undefined ? {} : { 'aria-selected': selectedId === idOf(row) })}
            >
              {shown.map((column) => (
                <td
                  key={column.id}
                  className={cx(
                    column.isNumber && 'num',
                    column.isWide && 'hide-s',
                    column === main && 'name',
                  )}
                >
                  {column === main && linkOf !== undefined ? (
                    <Link {...linkOf(row)} className="row-link">
                      {column.cell(row)}
                    </Link>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          );
        })}
        {below > 0 && <Gap height={below} columns={shown.length} />}
      </tbody>
    </table>
  );
}

const Gap = ({ height, columns }: { height: number; columns: number }) => (
  <tr aria-hidden>
    <td colSpan={columns} style={{ height, border: 0, padding: 0 }} />
  </tr>
);
