import { z } from 'zod';

/** What one lax reader refuses, in the words of contract 0.4; the place (`loc`) is added by `toRecords`. */
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

/** A read value, or the fault that stands in its way. */
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

/** Hands a fault to zod as a custom issue, so that paths, order and nesting stay zod's. */
export function raise(ctx: Pick<z.core.$RefinementCtx, 'addIssue'>, fault: Fault): void {
  ctx.addIssue({ code: 'custom', message: fault.msg, params: { fault } });
}

/**
 * A fault whose input and place are known already: it comes from a schema inside another. `place` is relative
 * to where `ctx` is.
 */
export function raiseResolved(
  ctx: Pick<z.core.$RefinementCtx, 'addIssue'>,
  fault: Fault,
  place: (string | number)[],
): void {
  ctx.addIssue({ code: 'custom', message: fault.msg, path: place, params: { fault, isResolved: true } });
}

/** A fault of a whole object that shows the object as it was sent, before anything was read out of it. */
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

/** The reading's value inside a zod transform; a refusal becomes an issue. */
export function settle<T>(ctx: Pick<z.core.$RefinementCtx, 'addIssue'>, reading: Reading<T>): T {
  if (reading.ok) return reading.value;
  raise(ctx, reading.fault);
  return z.NEVER;
}

/** A zod schema that reads laxly: `reader` decides, `shown` is what OpenAPI and `z.infer` see. */
export function lax<Shown extends z.ZodType>(
  reader: (value: unknown) => Reading<z.input<Shown>>,
  shown: Shown,
) {
  return z.preprocess((value, ctx) => settle(ctx, reader(value)), shown);
}
