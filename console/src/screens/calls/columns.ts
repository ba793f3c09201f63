import { useState } from 'react';

/** Columns that people may add to the list (contract 6.9). */
export const moreColumns = ['version', 'turns', 'p95', 'qa', 'cost', 'campaign'] as const;
export type MoreColumn = (typeof moreColumns)[number];

const key = 'parlance.calls.columns';

function read(): readonly MoreColumn[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? moreColumns.filter((each) => stored.includes(each)) : [];
  } catch {
    return [];
  }
}

/** The columns that this browser adds. */
export function useMoreColumns() {
  const [columns, setColumns] = useState(read);
  const toggle = (id: MoreColumn) => {
    const next = moreColumns.filter((each) => columns.includes(each) !== (each === id));
    setColumns(next);
    try {
      localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // They then last as long as the page.
    }
  };
  return { columns, toggle };
}
