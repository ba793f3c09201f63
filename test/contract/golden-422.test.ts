import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createEchoApp, serveApp, type ServedApp } from '../support/api-server.ts';

interface GoldenCase {
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  bodyBase64?: string;
  status: number;
  answer: unknown;
}

/** Produced by tools/golden-422/produce.py with the real FastAPI and Pydantic; never edited by hand. */
const golden: { producedBy: Record<string, string>; cases: GoldenCase[] } = JSON.parse(
  gunzipSync(readFileSync(new URL('golden-422.json.gz', import.meta.url))).toString(),
);

let server: ServedApp;
beforeAll(async () => {
  server = await serveApp(createEchoApp());
});
afterAll(() => server.close());

async function ask({ method, path, headers, bodyBase64 }: GoldenCase) {
  const body = bodyBase64 === undefined ? null : Buffer.from(bodyBase64, 'base64');
  const answer = await fetch(`${server.url}${path}`, { method, headers, body });
  return { status: answer.status, answer: JSON.parse(await answer.text()) as unknown };
}

/** Our other errors may have more keys than FastAPI's. A 422 may not. */
const comparable = (status: number, answer: unknown) =>
  status === 422 || typeof answer !== 'object' || answer === null || !('detail' in answer)
    ? answer
    : { detail: answer.detail };

describe('our answers equal those of FastAPI and Pydantic', () => {
  test('the golden set has at least 100 faults, from the pinned releases', () => {
    expect(golden.cases.filter(({ status }) => status === 422).length).toBeGreaterThanOrEqual(100);
    expect(golden.producedBy).toMatchObject({ fastapi: '0.135.0', pydantic: '2.14.3' });
  });

  test.each(golden.cases.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    const ours = await ask(each);
    expect({ status: ours.status, answer: comparable(ours.status, ours.answer) }).toEqual({
      status: each.status,
      answer: answerOf(each),
    });
    expect(keysInOrder(ours.answer)).toEqual(
      ours.status === 422 ? keysInOrder(each.answer) : keysInOrder(ours.answer),
    );
  });
});

/** For a valid request, FastAPI returns the parsed body. Routes without a body return null. */
const answerOf = ({ status, answer, bodyBase64, path }: GoldenCase) =>
  status === 200 && (bodyBase64 === undefined || path.endsWith('/publish')) ? null : answer;

const keysInOrder = (answer: unknown): string[] =>
  typeof answer === 'object' && answer !== null && 'detail' in answer && Array.isArray(answer.detail)
    ? answer.detail.map((record: object) => Object.keys(record).join(','))
    : [];
