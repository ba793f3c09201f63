import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from './problems.ts';

const largestBodyBytes = 20 * 1024 * 1024;

/** The JSON of a request; undefined when it has no body. */
export async function readJson(req: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > largestBodyBytes) throw new Problem('10015', { detail: 'The request is too large' });
    parts.push(bytes);
  }
  if (size === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    throw new Problem('10015', { detail: 'The body is not JSON' });
  }
}

export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function sendProblem(res: ServerResponse, error: unknown): void {
  const problem =
    error instanceof Problem
      ? error
      : new Problem('10007', { detail: `The emulator itself failed: ${String(error)}` });
  const { retryAfterSeconds } = problem.extras;
  sendJson(
    res,
    problem.status,
    problem.body(),
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
  );
}
