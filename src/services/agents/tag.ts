import { createHash } from 'node:crypto';

/** What of a workflow record calls change; nobody edits it. */
const counters = ['total_runs', 'call_disposition_codes'] as const;

/**
 * The strong entity tag of a workflow record (RFC 9110, 8.8.3), quotes included. Before the dot stands what
 * people edit, behind it what calls count: a copy is stale when either changed, but only the first can be
 * overwritten.
 */
export function agentTag(record: object): string {
  return `"${editedPart(record)}.${hashOf(counters.map((name) => Reflect.get(record, name)))}"`;
}

/**
 * Whether `If-Match` names the record as it is (RFC 9110, 13.1.1); calls that began since do not matter. Weak
 * tags name nothing.
 */
export function matchesRecord(ifMatch: string, record: object): boolean {
  if (ifMatch.trim() === '*') return true;
  const current = `"${editedPart(record)}.`;
  return tagsOf(ifMatch).some((tag) => tag.startsWith(current));
}

/**
 * Whether `If-None-Match` names the record byte for byte (RFC 9110, 13.1.2); whether its tags are weak does
 * not matter.
 */
export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  return (
    ifNoneMatch.trim() === '*' || tagsOf(ifNoneMatch).some((each) => each === tag || each === `W/${tag}`)
  );
}

const tagsOf = (list: string): string[] => list.match(/(?:W\/)?"[^"]*"/g) ?? [];

function editedPart(record: object): string {
  // guarantee: tag-another-one-after
  return hashOf(Object.entries(record).filter(([name]) => !counters.some((each) => each === name)));
}

const hashOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
