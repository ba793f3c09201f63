/** Browsers lose their way in pages that are higher. */
const maxHeight = 15_000_000;

/** The rows of a long list that are in view. All rows have the same height. */
export interface View {
  /** Index of the first row to draw, and of the one after the last. */
  first: number;
  end: number;
  /** Height of what scrolls, without what stands above the rows. */
  height: number;
  /** Where the first drawn row begins. */
  top: number;
}

const overscan = 6;

interface Scrolled {
  rows: number;
  rowHeight: number;
  /** How far it is scrolled, and how much of it is seen. */
  scrollTop: number;
  seen: number;
}

/**
 * What to draw of a list. A list that is higher than browsers allow is scrolled in larger steps: its end is at the
 * end of the scroll bar all the same.
 */
export function viewOf({ rows, rowHeight, scrollTop, seen }: Scrolled): View {
  const whole = rows * rowHeight;
  const height = Math.min(whole, maxHeight);
  const offset = scrollTop * ratioOf(whole, height, seen);
  const at = Math.floor(offset / rowHeight);
  const first = Math.max(0, at - overscan);
  return {
    first,
    end: Math.min(rows, at + Math.ceil(seen / rowHeight) + overscan + 1),
    height,
    top: Math.max(0, scrollTop - (offset - first * rowHeight)),
  };
}

/** Where to scroll so that a row is in view; the present place if it is. */
export function scrollTo(row: number, scrolled: Scrolled): number {
  const { rows, rowHeight, scrollTop, seen } = scrolled;
  const whole = rows * rowHeight;
  const ratio = ratioOf(whole, Math.min(whole, maxHeight), seen);
  const offset = scrollTop * ratio;
  const [begin, end] = [row * rowHeight, (row + 1) * rowHeight];
  if (begin < offset) return begin / ratio;
  return end > offset + seen ? (end - seen) / ratio : scrollTop;
}

const ratioOf = (whole: number, height: number, seen: number): number =>
  height >= whole || height <= seen ? 1 : (whole - seen) / (height - seen);
