/** Bytes of a file, from the first to the last one inclusive. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * The part of a file that a `Range` header asks for (RFC 9110, 14.1). `whole` without a header, and for
 * headers that may be ignored: other units, several ranges, malformed ones. `unsatisfiable` for a range that
 * begins after the end of the file.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return 'whole';
  if (from === '') return lastBytes(Number(to), size);
  const [first, last] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  if (to !== '' && Number(to) < first) return 'whole';
  return first >= size ? 'unsatisfiable' : { first, last };
}

function lastBytes(count: number, size: number): ByteRange | 'unsatisfiable' {
  return count === 0 || size === 0 ? 'unsatisfiable' : { first: Math.max(0, size - count), last: size - 1 };
}
