import jsonPatch from 'fast-json-patch';
import type { DiffOperation, StoredDiff } from '../../../db/tables/audit-events.ts';

/**
 * A diff is read by people: a larger one (in characters of JSON) names the places alone, and so many at most.
 */
const maxCharacters = 65_536;
const maxPlaces = 1000;

/**
 * What changed between two states of a thing, as a JSON Patch (RFC 6902) whose operations also say what was
 * there before; null stands for «there was no such thing». Applied to the first state a whole one makes the
 * second.
 */
export function diffOf(before: object | null, after: object | null): StoredDiff {
  const operations = withOldValues(jsonPatch.compare(plain(before), plain(after), true));
  if (JSON.stringify(operations).length <= maxCharacters) return { operations, isWhole: true };
  return { operations: operations.slice(0, maxPlaces).map(({ op, path }) => ({ op, path })), isWhole: false };
}

/** As JSON says it: without undefined, with dates as text. */
function plain(state: object | null): object {
  const read: unknown = JSON.parse(JSON.stringify(state ?? {}));
  return typeof read === 'object' && read !== null ? read : {};
}

/** The library puts a `test` with the former value before each operation that ends one. */
function withOldValues(patch: ReturnType<typeof jsonPatch.compare>): DiffOperation[] {
  const operations: DiffOperation[] = [];
  let former: { path: string; value: unknown } | null = null;
  for (const each of patch) {
    const old = former?.path === each.path ? { old_value: former.value } : {};
    former = each.op === 'test' ? each : null;
    if (each.op === 'add' || each.op === 'replace')
      operations.push({ op: each.op, path: each.path, value: each.value, ...old });
    if (each.op === 'remove') operations.push({ op: each.op, path: each.path, ...old });
  }
  return operations;
}
