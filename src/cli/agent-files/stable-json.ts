import { createHash } from 'node:crypto';
import { isObject } from '../json.ts';

/** The first keys of a node or an edge. All others follow by name. */
const leading = ['id', 'type', 'source', 'target', 'name', 'label'];

const rank = (key: string): number => (leading.includes(key) ? leading.indexOf(key) : leading.length);
const byRank = (left: string, right: string): number => rank(left) - rank(right) || (left < right ? -1 : 1);

/** Sorts the keys of all objects, because the order of the server may vary. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  // guarantee: unchanged-agent-not-pushed
  return Object.fromEntries(
    Object.keys(value)
      .toSorted(byRank)
      .map((key) => [key, ordered(value[key])]),
  );
}

/** Formatted JSON whose bytes depend only on the value. */
export const stableJson = (value: unknown): string => `${JSON.stringify(ordered(value), null, 2)}\n`;

/** `sha256:` and the hexadecimal digest of the value. The order of keys makes no difference. */
export const digestOf = (value: unknown): string =>
  `sha256:${createHash('sha256')
    .update(JSON.stringify(ordered(value)))
    .digest('hex')}`;

export const isSame = (left: unknown, right: unknown): boolean =>
  JSON.stringify(ordered(left)) === JSON.stringify(ordered(right));
