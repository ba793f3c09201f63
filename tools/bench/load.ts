import { Pool } from 'undici';
import type { Api } from './conversations.ts';
import { quantile } from './statistics.ts';

export interface LoadRequest {
  method: 'GET' | 'PUT' | 'POST';
  /** Begins after /api/v1. */
  path: string;
  body?: string;
}

export interface LoadResult {
  requests: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/**
 * Sends requests over `connections` connections for some seconds. Each connection sends its next request when
 * its last one is answered; several addresses share the connections. Fails at the first answer that is not a
 * 200.
 */
export async function putLoad(
  apis: readonly Api[],
  { connections, ms }: { connections: number; ms: number },
  request: (connection: number) => LoadRequest,
): Promise<LoadResult> {
  const pools = apis.map(({ url, key }) => ({
    key,
    pool: new Pool(url, { connections: Math.ceil(connections / apis.length), pipelining: 1 }),
  }));
  const times: number[] = [];
  const begun = performance.now();
  const ask = async (index: number): Promise<void> => {
    const { pool, key } = at(pools, index);
    while (performance.now() - begun < ms) {
      const { method, path, body } = request(index);
      const sent = performance.now();
      const answer = await pool.request({
        method,
        path: `/api/v1${path}`,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: body ?? null,
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200)
        throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
      times.push(performance.now() - sent);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, (_, index) => ask(index)));
    return {
      requests: times.length,
      perSecond: times.length / ((performance.now() - begun) / 1000),
      p50Ms: quantile(times, 0.5),
      p99Ms: quantile(times, 0.99),
    };
  } finally {
    await Promise.all(pools.map(({ pool }) => pool.close()));
  }
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError('There is no address to ask');
  return item;
}
