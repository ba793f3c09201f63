import { createHash } from 'node:crypto';
import { isObject } from '../json.ts';

/** What a reader wants to see first of a node or an edge; other keys follow by name. */
const leading = ['id', 'type', 'source', 'target', 'name', 'label'];

const rank = (key: string): number => (leading.includes(key) ? leading.indexOf(key) : leading.length);
const byRank = (left: string, right: string): number => rank(left) - rank(right) || (left < right ? -1 : 1);

/** The same value with the keys of every object in one order, whatever order the server keeps them in. */
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

/** Pretty JSON whose bytes depend on the value alone. */
export const stableJson = (value: unknown): string => `${JSON.stringify(ordered(value), null, 2)}\n`;

/** `sha256:` and hex digits over the value, key order not counting. */
export const digestOf = (value: unknown): string =>
  `sha256:${createHash('sha256')
    .update(JSON.stringify(ordered(value)))
    .digest('hex')}`;

export const isSame = (left: unknown, right: unknown): boolean =>
  JSON.stringify(ordered(left)) === JSON.stringify(ordered(right));
