import type { z } from 'zod';
import { shownKey } from './collections.ts';
import type { Fault } from './fault.ts';

/** The parts of a request: the first segment of `loc`, in the order of the faults. */
export const sources = ['path', 'query', 'header', 'body'] as const;
export type Source = (typeof sources)[number];

/** One record of a 422, with its keys in this order (contract 0.4). */
export interface ValidationRecord {
  type: string;
  loc: (string | number)[];
  msg: string;
  input: unknown;
  ctx?: Record<string, unknown>;
}

/** Makes the record of a fault that was found outside a schema. */
export function validationRecord(
  loc: (string | number)[],
  { type, msg, input, ctx }: Fault,
): ValidationRecord {
  return { type, loc, msg, input, ...(ctx === undefined ? {} : { ctx }) };
}

const isFault = (value: unknown): value is Fault =>
  typeof value === 'object' && value !== null && 'type' in value && 'msg' in value && 'input' in value;

const child = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;

/**
 * Converts a zod error over `given` to records, in declaration order, depth first (contract 0.4). An absent
 * key is `missing`: in a body its input is the containing object, elsewhere null.
 */
export function toRecords(error: z.ZodError, source: Source, given: unknown): ValidationRecord[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
    const loc = [source, ...path];
    if (issue.code === 'unrecognized_keys') return extraKeys(issue.keys, loc, path.reduce(child, given));
    const parent = path.slice(0, -1).reduce(child, given);
    const last = path.at(-1);
    const value = last === undefined ? given : child(parent, last);
    const {
      fault,
      isResolved = false,
      showsGiven = false,
    }: Record<string, unknown> = (issue.code === 'custom' ? issue.params : undefined) ?? {};
    if (value === undefined && isResolved === false) {
      return {
        type: 'missing',
        loc,
        msg: 'Field required',
        input: source === 'body' && last !== undefined ? parent : null,
      };
    }
    if (!isFault(fault))
      throw new TypeError(
        `a schema of the contract raised zod's own issue ${issue.code} at ${loc.join('.')}`,
      );
    return validationRecord(loc, showsGiven === true ? { ...fault, input: value } : fault);
  });
}

/** Makes the records of unknown keys. The input of each is its value. */
const extraKeys = (keys: string[], loc: (string | number)[], parent: unknown): ValidationRecord[] =>
  keys.map(shownKey).map((key) =>
    validationRecord([...loc, key], {
      type: 'extra_forbidden',
      msg: 'Extra inputs are not permitted',
      input: child(parent, key),
    }),
  );

/** The result of reading a value by a schema. */
export type Checked<T> = { ok: true; value: T } | { ok: false; records: ValidationRecord[] };

/** Reads one part of a request by its schema. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  source: Source,
  given: unknown,
): Checked<z.output<Schema>> {
  const parsed = schema.safeParse(given);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, records: toRecords(parsed.error, source, given) };
}
