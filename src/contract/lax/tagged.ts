import { z } from 'zod';
import { isJsonObject, type JsonObject } from './collections.ts';
import { raiseResolved, read, refuse, settle, type Reading } from './fault.ts';
import { toRecords } from './records.ts';

/**
 * One of several objects in a body, chosen by the text under `key` (contract 0.4: `union_tag_invalid`,
 * `union_tag_not_found`). Faults inside the chosen object have the tag in their `loc`, as in
 * `["body", "definition", "http_api", "config", "url"]`. `tags` and `options` have the same order.
 * Faults name all tags except `unlisted` ones, which published clients do not know.
 */
export function tagged<const Options extends readonly [z.ZodType, z.ZodType, ...z.ZodType[]]>(
  key: string,
  tags: readonly string[],
  options: Options,
  unlisted: readonly string[] = [],
) {
  return z.preprocess((value, ctx) => {
    const tag = settle(ctx, readTag(value, { key, tags, unlisted }));
    const parsed = options[tags.indexOf(tag)]?.safeParse(value);
    if (parsed?.success === true) return parsed.data;
    const records = parsed === undefined ? [] : toRecords(parsed.error, 'body', value);
    for (const {
      loc: [, ...place],
      ...fault
    } of records)
      raiseResolved(ctx, fault, [tag, ...place]);
    return z.NEVER;
  }, z.union(options));
}

function readTag(
  value: unknown,
  { key, tags, unlisted }: { key: string; tags: readonly string[]; unlisted: readonly string[] },
): Reading<string> {
  if (!isJsonObject(value))
    return refuse(
      'model_attributes_type',
      'Input should be a valid dictionary or object to extract fields from',
      value,
    );
  const discriminator = `'${key}'`;
  if (!Object.hasOwn(value, key))
    return refuse(
      'union_tag_not_found',
      `Unable to extract tag using discriminator ${discriminator}`,
      value,
      { discriminator },
    );
  const tag = shownTag(value, key);
  if (tags.includes(tag)) return read(tag);
  const expected = tags
    .filter((each) => !unlisted.includes(each))
    .map((each) => `'${each}'`)
    .join(', ');
  return refuse(
    'union_tag_invalid',
    `Input tag '${tag}' found using ${discriminator} does not match any of the expected tags: ${expected}`,
    value,
    { discriminator, tag, expected_tags: expected },
  );
}

/** A tag as the messages spell it. */
function shownTag(value: JsonObject, key: string): string {
  const tag = value[key];
  if (typeof tag === 'string') return tag;
  if (tag === null) return 'None';
  if (typeof tag === 'boolean') return tag ? 'True' : 'False';
  return JSON.stringify(tag);
}
