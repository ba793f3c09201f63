import type { RouteName } from './routes.ts';

/** A value out of the answer of an earlier operation of the story. */
export interface From {
  from: RouteName;
  at: readonly (string | number)[];
}

export const from = (name: RouteName, ...at: (string | number)[]): From => ({ from: name, at });

/**
 * How one operation looks in use. Values of earlier answers are named by `from`. The answers themselves are
 * in `examples/api-answers.json`, as a running API gave them (`npm run examples`).
 */
export interface Example {
  /** Values of what stands in the path. */
  path?: Readonly<Record<string, string | number | From>>;
  query?: Readonly<Record<string, string | number | boolean | From>>;
  headers?: Readonly<Record<string, string>>;
  /** The body. */
  request?: unknown;
  /** Other bodies of the same operation, sent after the first, by what they show. */
  otherRequests?: Readonly<Record<string, unknown>>;
  /** Presents the session of `logIn` instead of the key of `createApiKey`. */
  asUser?: true;
  /** The answer is long: the description shows the beginning of its lists. */
  isLong?: true;
  /** What else is sent, to show the refusal of that status: changes of the example. */
  refused?: Readonly<Record<number, Pick<Example, 'path' | 'query' | 'request'>>>;
}

/** What a running API answered: with success, and to what is refused. */
export interface ExampleAnswers {
  answer?: unknown;
  refusals?: Readonly<Record<string, unknown>>;
}

const isFrom = (value: object): value is From => 'from' in value && 'at' in value;

/** The value with answers in place of what names them; `null` in place of one that is not there. */
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
