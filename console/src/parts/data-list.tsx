import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

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
 * opens by keyboard and in a new tab; a press anywhere in the row follows it.
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
  className?: string;
}) {
  const main =
    columns.find(({ isMain }) => isMain === true) ??
    columns.find(({ isLabelHidden }) => isLabelHidden !== true);
  return (
    <table
      className={cx('table', isTall && 'two', className)}
      aria-label={label}
      aria-rowcount={rows.length + 1}
    >
      <thead>
        <tr>
          {columns.map(({ id, label: name, isLabelHidden, isNumber, isWide, width }) => (
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
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={idOf(row)}
            data-row={idOf(row)}
            className={linkOf === undefined ? undefined : 'is-link'}
            {...(selectedId === undefined ? {} : { 'aria-selected': selectedId === idOf(row) })}
          >
            {columns.map((column) => (
              <td
                key={column.id}
                className={cx(column.isNumber && 'num', column.isWide && 'hide-s', column === main && 'name')}
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
        ))}
      </tbody>
    </table>
  );
}
