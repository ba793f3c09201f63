import type { RouteName } from './routes.ts';

/** A value from the answer to an earlier example. */
export interface From {
  from: RouteName;
  at: readonly (string | number)[];
}

export const from = (name: RouteName, ...at: (string | number)[]): From => ({ from: name, at });

/**
 * The example of one operation. `from` refers to values of earlier answers. The answers are in
 * `examples/api-answers.json`, recorded from a running API (`npm run examples`).
 */
export interface Example {
  /** Values of the path parameters. */
  path?: Readonly<Record<string, string | number | From>>;
  query?: Readonly<Record<string, string | number | boolean | From>>;
  headers?: Readonly<Record<string, string>>;
  /** The request body. */
  request?: unknown;
  /** Further request bodies by title, sent after the first. */
  otherRequests?: Readonly<Record<string, unknown>>;
  /** Authenticates with the session that this example or `logIn` (true) started, not the key of `createApiKey`. */
  asUser?: true | RouteName;
  /** The answer is long: the description shows only the first items of its lists. */
  isLong?: true;
  /** Changes of the example that lead to an error, by the status of the error. */
  refused?: Readonly<Record<number, Pick<Example, 'path' | 'query' | 'request'>>>;
}

/** Recorded answers: the successful one, and errors by status. */
export interface ExampleAnswers {
  answer?: unknown;
  refusals?: Readonly<Record<string, unknown>>;
}

const isFrom = (value: object): value is From => 'from' in value && 'at' in value;

/** Replaces each `from` in the value by the value it refers to, or by `null` if that does not exist. */
export function resolved(value: unknown, answers: Readonly<Record<string, ExampleAnswers>>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isFrom(value)) return found(value.at, answers[value.from]?.answer) ?? null;
  if (Array.isArray(value)) return value.map((item: unknown) => resolved(item, answers));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner, answers)]));
}

const found = (at: From['at'], answer: unknown): unknown =>
  at.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    answer,
  );
