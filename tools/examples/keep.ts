import type { Example, ExampleAnswers } from '../../src/contract/example.ts';
import type { ExampleResult } from '../../test/support/run-examples.ts';
import { shapeOf } from '../../test/support/shape.ts';

type Answers = Readonly<Record<string, ExampleAnswers>>;

/** Maximum number of items in the lists of an abridged answer. */
const max = 2;

/**
 * Prepares answers for storage: replaces secrets, cuts long lists, and keeps ids and texts of earlier
 * answers.
 */
export function keptAnswers({
  results,
  before,
  examples,
}: {
  results: readonly ExampleResult[];
  before: Answers;
  examples: Readonly<Partial<Record<string, Example>>>;
}): Answers {
  const kept: Record<string, { answer?: unknown; refusals?: Record<string, unknown> }> = {};
  const sameIds = renamer(results, before);
  for (const { name, kind, expected, answer } of results) {
    if (kind === 'other' || /^<|^\/\*/.test(String(answer))) continue;
    const fresh = sameIds(harmless(shortened(name, answer, examples[name])));
    const entry = (kept[name] ??= {});
    if (kind === 'example') entry.answer = unlessSame(before[name]?.answer, fresh);
    else
      entry.refusals = {
        ...entry.refusals,
        [expected]: unlessSame(before[name]?.refusals?.[expected], fresh),
      };
  }
  return kept;
}

const unlessSame = (before: unknown, fresh: unknown): unknown =>
  before !== undefined && JSON.stringify(shapeOf(before)) === JSON.stringify(shapeOf(fresh)) ? before : fresh;

/** Cuts the lists of long answers; the API description would otherwise contain itself. */
function shortened(name: string, answer: unknown, example: Example | undefined): unknown {
  if (
    name === 'getDescription' &&
    typeof answer === 'object' &&
    answer !== null &&
    'openapi' in answer &&
    'info' in answer
  )
    return { openapi: answer.openapi, info: { title: 'Parlance', version: '1.0.0' }, paths: {} };
  return example?.isLong === true ? excerpt(answer) : answer;
}

function excerpt(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, max).map(excerpt);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    (entries.length > 20 ? entries.slice(0, 3) : entries).map(([key, inner]) => [key, excerpt(inner)]),
  );
}

const secrets: Readonly<Record<string, (value: string) => string>> = {
  api_key: (value) => `${value.slice(0, 4)}example-${value.slice(4, 8)}`,
  token: () => 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.example',
  request_id: () => '2f1d9c3e-7a55-4c0e-9f0b-6f5f0f6f2a10',
  secret: (value) =>
    value.startsWith('whsec_')
      ? `whsec_${Buffer.from('an example of a webhook secret!!').toString('base64')}`
      : value,
};

function harmless(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return value.includes('*') ? value : (secrets[key]?.(value) ?? value);
  if (Array.isArray(value)) return value.map((item: unknown) => harmless(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, harmless(inner, name)]));
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const uuidsIn = (value: unknown): string[] => JSON.stringify(value ?? null).match(uuid) ?? [];

/** Replaces fresh uuids in answers by the uuids of earlier answers. */
function renamer(results: readonly ExampleResult[], before: Answers): (value: unknown) => unknown {
  const names = new Map<string, string>();
  for (const { name, kind, answer } of results) {
    const [fresh, old] = [uuidsIn(answer), uuidsIn(before[name]?.answer)];
    if (kind !== 'example' || fresh.length !== old.length) continue;
    fresh.forEach((each, index) => names.has(each) || names.set(each, old[index] ?? each));
  }
  return (value) =>
    JSON.parse(JSON.stringify(value ?? null).replace(uuid, (each) => names.get(each) ?? each)) as unknown;
}
