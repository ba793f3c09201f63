import { randomUUID } from 'node:crypto';
import type { AnswerOf, PathOf, RequestParts, Table } from '../../contract/client-types.ts';
import { isObject, own } from '../json.ts';
import type { Transport } from './transport.ts';

export interface CallOptions {
  /** The `ETag` that the caller last read. Undefined if the server gave none. */
  ifMatch?: string | undefined;
  /** Key of a POST. By default a new one. */
  idempotencyKey?: string;
  timeoutMs?: number;
}

export interface Answer<Body> {
  body: Body;
  etag: string | undefined;
}

export interface ApiClient {
  call<M extends Table['method'], P extends PathOf<M>>(
    method: M,
    path: P,
    input: RequestParts<M, P> & CallOptions,
  ): Promise<Answer<AnswerOf<M, P>>>;
}

const prefix = '/api/v1';

export function createApiClient(transport: Transport): ApiClient {
  return {
    async call(method, path, input) {
      const {
        params,
        query,
        body,
        ifMatch,
        idempotencyKey = randomUUID(),
        timeoutMs,
      }: CallOptions & { params?: unknown; query?: unknown; body?: unknown } = input;
      const isPost = method === 'post';
      const { headers, body: answer } = await transport.send({
        method: method.toUpperCase(),
        path: `${prefix}${filled(path, params)}${queryText(query)}`,
        headers: {
          ...(isPost ? { 'idempotency-key': idempotencyKey } : {}),
          // guarantee: push-sends-entity-tag
          ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        },
        ...(body === undefined ? {} : { body }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        isRepeatable: method === 'get' || isPost || ifMatch !== undefined,
      });
      return { body: asPromised(answer), etag: headers.get('etag') ?? undefined };
    },
  };
}

/** Answers are not parsed, because the client must work with newer servers. The server's tests check them. */
const asPromised = <Body>(answer: unknown): Body => answer as Body; // eslint-disable-line typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-parameters -- said above

const filled = (path: string, params: unknown): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(own(params, name))));

function queryText(query: unknown): string {
  const given = Object.entries(isObject(query) ? query : {}).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
