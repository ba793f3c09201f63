import { createHash } from 'node:crypto';

/** The fields of a workflow record that calls change and people do not edit. */
const counters = ['total_runs', 'call_disposition_codes'] as const;

/**
 * The strong entity tag of a workflow record (RFC 9110, 8.8.3), quotes included. The part before the dot
 * covers what people edit, the part after it the counters of calls: a copy is stale when either changed, but
 * only the first part can be overwritten.
 */
export function agentTag(record: object): string {
  return `"${editedPart(record)}.${hashOf(counters.map((name) => Reflect.get(record, name)))}"`;
}

/**
 * Whether `If-Match` matches the record (RFC 9110, 13.1.1); later calls do not matter. Weak tags never match.
 */
export function matchesRecord(ifMatch: string, record: object): boolean {
  if (ifMatch.trim() === '*') return true;
  const current = `"${editedPart(record)}.`;
  return tagsOf(ifMatch).some((tag) => tag.startsWith(current));
}

/** Whether `If-None-Match` matches the whole record (RFC 9110, 13.1.2); weak tags match, too. */
export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  return (
    ifNoneMatch.trim() === '*' || tagsOf(ifNoneMatch).some((each) => each === tag || each === `W/${tag}`)
  );
}

const tagsOf = (list: string): string[] => list.match(/(?:W\/)?"[^"]*"/g) ?? [];

function editedPart(record: object): string {
  // guarantee: entity-tag-follows-each-change
  return hashOf(Object.entries(record).filter(([name]) => !counters.some((each) => each === name)));
}

const hashOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
