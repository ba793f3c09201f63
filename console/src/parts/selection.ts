/** Rows that are chosen, over several pages of a list. */
export interface Selection<Row> {
  rows: ReadonlyMap<string, Row>;
  /** The row that was last chosen by itself: a range begins there. Null before the first. */
  anchor: string | null;
  /** What was chosen before the present range, so that the range can shrink again. */
  before: ReadonlyMap<string, Row>;
}

export const nothing = <Row>(): Selection<Row> => ({ rows: new Map(), anchor: null, before: new Map() });

/** The selection with the row, or without it. */
export function toggled<Row>(selection: Selection<Row>, id: string, row: Row): Selection<Row> {
  const rows = new Map(selection.rows);
  if (!rows.delete(id)) rows.set(id, row);
  return { rows, anchor: id, before: rows };
}

/**
 * The selection with all rows of the page from the anchor to `to`, in place of an earlier range from the same anchor.
 * Without an anchor on the page, the range is `to` alone.
 */
export function extended<Row>(
  selection: Selection<Row>,
  page: ReadonlyMap<string, Row>,
  to: string,
): Selection<Row> {
  const ids = [...page.keys()];
  const end = ids.indexOf(to);
  const begin = selection.anchor === null ? -1 : ids.indexOf(selection.anchor);
  if (end === -1) return selection;
  const isAnchored = begin !== -1;
  const before = isAnchored ? selection.before : selection.rows;
  const [first, last] = isAnchored ? [Math.min(begin, end), Math.max(begin, end)] : [end, end];
  return {
    rows: new Map([...before, ...[...page].slice(first, last + 1)]),
    anchor: isAnchored ? selection.anchor : to,
    before,
  };
}

/** The selection with every row of the page. */
export const withPage = <Row>(
  { rows, anchor }: Selection<Row>,
  page: ReadonlyMap<string, Row>,
): Selection<Row> => {
  const all = new Map([...rows, ...page]);
  return { rows: all, anchor, before: all };
};
