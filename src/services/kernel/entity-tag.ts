import { createHash } from 'node:crypto';

/** Says which fields of a record people edit; calls change the others. */
export type IsEdited = (field: string) => boolean;

/**
 * The strong entity tag of a record (RFC 9110, 8.8.3), quotes included. The part before the dot covers what
 * people edit, the part after it the rest: a copy is stale when either changed, but only the first part can be
 * overwritten.
 */
export function tagOf(record: object, isEdited: IsEdited): string {
  const rest = Object.entries(record).filter(([name]) => !isEdited(name));
  return `"${editedPart(record, isEdited)}.${hashOf(rest)}"`;
}

/**
 * Whether `If-Match` matches what people edit of the record (RFC 9110, 13.1.1); later calls do not matter. Weak
 * tags never match.
 */
export function matchesEdited(ifMatch: string, record: object, isEdited: IsEdited): boolean {
  if (ifMatch.trim() === '*') return true;
  const current = `"${editedPart(record, isEdited)}.`;
  return tagsOf(ifMatch).some((tag) => tag.startsWith(current));
}

/** Whether `If-None-Match` matches the whole record (RFC 9110, 13.1.2); weak tags match, too. */
export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  return (
    ifNoneMatch.trim() === '*' || tagsOf(ifNoneMatch).some((each) => each === tag || each === `W/${tag}`)
  );
}

const tagsOf = (list: string): string[] => list.match(/(?:W\/)?"[^"]*"/g) ?? [];

function editedPart(record: object, isEdited: IsEdited): string {
  // guarantee: entity-tag-follows-each-change
  return hashOf(Object.entries(record).filter(([name]) => isEdited(name)));
}

const hashOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
