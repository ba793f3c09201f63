import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type WorkflowClientInterceptor,
} from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { timeoutsMs } from '../domain/declaration.ts';
import { translateUnavailable } from './unavailable.ts';

export interface TemporalClientOptions {
  /** host:port of the frontend. */
  address: string;
  namespace: string;
  /** API key of a hosted Temporal; TLS is then on. */
  apiKey?: string | undefined;
  /** How payloads are written; Temporal's plain JSON without it. */
  dataConverter?: DataConverter | undefined;
  /** See what is asked of Workflows. */
  interceptors?: WorkflowClientInterceptor[];
  /** Longest time of one plain request. */
  rpcTimeoutMs?: number;
  /** Transport attempts of one request; what is left after them is the caller's to retry. */
  attempts?: number;
}

/** A connection that is made when it is first used, so that a process starts while Temporal is away. */
export interface TemporalClient {
  readonly client: Client;
  readonly namespace: string;
  /**
   * Runs one request under the request deadline; throws UnavailableError('temporal') when Temporal is away.
   */
  request<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /**
   * Runs a request that waits for a Workflow's answer, at most `waitMs`; errors come as the client gives
   * them.
   */
  wait<T>(waitMs: number, work: (client: Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Temporal as a client. Few transport attempts: a caller who waits is told 503 within seconds and tries
 * again; the SDK's default of ten attempts would hold the request for half a minute.
 */
export function createTemporalClient(options: TemporalClientOptions): TemporalClient {
  const {
    address,
    namespace,
    apiKey,
    dataConverter,
    interceptors = [],
    rpcTimeoutMs = timeoutsMs.rpc,
    attempts = 3,
  } = options;
  const connection = Connection.lazy({
    address,
    ...(apiKey === undefined ? {} : { apiKey, tls: true }),
    connectTimeout: rpcTimeoutMs,
    // gRPC's own limit is two minutes: too long a silence after Temporal is back.
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 2000 },
    interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: attempts }))],
  });
  const client = new Client({
    connection,
    namespace,
    interceptors: { workflow: interceptors },
    ...(dataConverter === undefined ? {} : { dataConverter }),
  });

  const within = <T>(limitMs: number, work: (client: Client) => Promise<T>): Promise<T> =>
    connection.withDeadline(Date.now() + limitMs, () => work(client));

  return {
    client,
    namespace,
    wait: within,
    async request(work) {
      try {
        return await within(rpcTimeoutMs, work);
      } catch (error) {
        throw translateUnavailable(error);
      }
    },
    close: () => connection.close(),
  };
}
