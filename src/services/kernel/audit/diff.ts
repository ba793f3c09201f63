import jsonPatch from 'fast-json-patch';
import type { DiffOperation, StoredDiff } from '../../../db/tables/audit-events.ts';

/** Characters of JSON. A larger diff only names the changed places, up to a maximum: people read diffs. */
const maxCharacters = 65_536;
const maxPlaces = 1000;

/**
 * The change between two states of an object, as a JSON Patch (RFC 6902) whose operations also contain the
 * old value; null means that the object did not exist. A whole patch turns the first state into the second.
 */
export function diffOf(before: object | null, after: object | null): StoredDiff {
  const operations = withOldValues(jsonPatch.compare(plain(before), plain(after), true));
  if (JSON.stringify(operations).length <= maxCharacters) return { operations, isWhole: true };
  return { operations: operations.slice(0, maxPlaces).map(({ op, path }) => ({ op, path })), isWhole: false };
}

/** The state as plain JSON: without undefined values, with dates as text. */
function plain(state: object | null): object {
  const read: unknown = JSON.parse(JSON.stringify(state ?? {}));
  return typeof read === 'object' && read !== null ? read : {};
}

/** The library puts a `test` with the old value before each operation that replaces or removes one. */
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
