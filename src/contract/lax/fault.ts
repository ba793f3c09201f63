import { z } from 'zod';

/** A fault that a lax reader found, worded as in contract 0.4. `toRecords` adds the place (`loc`). */
export interface Fault {
  type: string;
  msg: string;
  input: unknown;
  ctx?: Record<string, unknown>;
}

export interface Refusal {
  ok: false;
  fault: Fault;
}

/** The value that was read, or a fault. */
export type Reading<T> = { ok: true; value: T } | Refusal;

export const read = <T>(value: T): Reading<T> => ({ ok: true, value });

export const refuse = (
  type: string,
  msg: string,
  input: unknown,
  ctx?: Record<string, unknown>,
): Refusal => ({
  ok: false,
  fault: ctx === undefined ? { type, msg, input } : { type, msg, input, ctx },
});

/** Adds a fault as a custom zod issue, so that zod decides its path and order. */
export function raise(ctx: Pick<z.core.$RefinementCtx, 'addIssue'>, fault: Fault): void {
  ctx.addIssue({ code: 'custom', message: fault.msg, params: { fault } });
}

/** Adds a fault of a nested schema, whose input and place are already known. `place` is relative to `ctx`. */
export function raiseResolved(
  ctx: Pick<z.core.$RefinementCtx, 'addIssue'>,
  fault: Fault,
  place: (string | number)[],
): void {
  ctx.addIssue({ code: 'custom', message: fault.msg, path: place, params: { fault, isResolved: true } });
}

/** Adds a fault of a whole object. Its input will be the object as it was sent. */
export function raiseAsGiven(
  ctx: Pick<z.core.$RefinementCtx, 'addIssue'>,
  fault: Omit<Fault, 'input'>,
): void {
  ctx.addIssue({
    code: 'custom',
    message: fault.msg,
    params: { fault: { ...fault, input: null }, showsGiven: true },
  });
}

/** Returns the value of a reading inside a zod transform, or adds its fault as an issue. */
export function settle<T>(ctx: Pick<z.core.$RefinementCtx, 'addIssue'>, reading: Reading<T>): T {
  if (reading.ok) return reading.value;
  raise(ctx, reading.fault);
  return z.NEVER;
}

/** A zod schema with a lax reader. `shown` is the schema for OpenAPI and `z.infer`. */
export function lax<Shown extends z.ZodType>(
  reader: (value: unknown) => Reading<z.input<Shown>>,
  shown: Shown,
) {
  return z.preprocess((value, ctx) => settle(ctx, reader(value)), shown);
}
