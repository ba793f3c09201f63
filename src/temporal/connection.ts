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
  /** API key of a hosted Temporal; it turns TLS on. */
  apiKey?: string | undefined;
  /** Converts payloads; Temporal's plain JSON when absent. */
  dataConverter?: DataConverter | undefined;
  /** Interceptors of requests to Workflows. */
  interceptors?: WorkflowClientInterceptor[];
  /** Deadline of one request that does not wait for a Workflow. */
  rpcTimeoutMs?: number;
  /** Transport attempts of one request; further retries are up to the caller. */
  attempts?: number;
}

/** A connection that opens on first use, so that a process can start while Temporal is unavailable. */
export interface TemporalClient {
  readonly client: Client;
  readonly namespace: string;
  /**
   * Runs one request within the request deadline; throws UnavailableError('temporal') when Temporal is
   * unavailable.
   */
  request<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /**
   * Runs a request that waits for a Workflow's answer, at most `waitMs`; errors of the client stay unchanged.
   */
  wait<T>(waitMs: number, work: (client: Client) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * A Temporal client. It makes few transport attempts, so that a waiting caller gets a 503 within seconds and
 * retries; the SDK's default of ten attempts would hold the request for half a minute.
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
    // gRPC's default of two minutes would be too long after Temporal is available again.
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
