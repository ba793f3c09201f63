import type { TextToSpeechClient } from '@google-cloud/text-to-speech';
import type { Client } from '@grpc/grpc-js';
import { z } from 'zod';
import { guarded } from '../../runtime/guarded.ts';
import { systemTimer, type Timer } from '../../runtime/timer.ts';
import { fromGrpc, ttsError } from './failures.ts';

export interface GoogleClientOptions {
  /**
   * A customer's key. Without it, Google's library uses GOOGLE_APPLICATION_CREDENTIALS or the machine's
   * account.
   */
  key?: GoogleKey;
  /**
   * `https://eu-texttospeech.googleapis.com` for a region. `http://…` is an emulator, reached unencrypted and
   * without credentials.
   */
  endpoint: string | undefined;
  /** Measures every wait except those of the connection; absent = the system's. */
  timer?: Timer | undefined;
}

/** `credentials` is the JSON key of a service account, as Google issues it. */
export interface GoogleKey {
  kind: 'api_key' | 'credentials';
  value: string;
}

const ServiceAccount = z.object({ client_email: z.string(), private_key: z.string() });

export const isEmulator = (endpoint: string | undefined): boolean => endpoint?.startsWith('http:') === true;

/** A silent connection is replaced only above this age: many calls notice it at the same time. */
const minRenewalMs = 5_000;
/** Requests on a replaced connection may finish within this time. */
const graceMs = 60_000;
const connectMs = 5_000;

/** Takes half a second and 40 MB, so only processes that speak load it, when they warm up. */
const loadLibraries = async () => ({
  ...(await import('@google-cloud/text-to-speech')),
  grpc: await import('@grpc/grpc-js'),
});

/** Google's client: created when it is first needed, and replaced when it stops answering. */
export class GoogleClient {
  readonly #options: GoogleClientOptions;
  readonly #timer: Timer;
  readonly #retired = new Map<TextToSpeechClient, NodeJS.Timeout>();
  #current: Promise<TextToSpeechClient> | null = null;
  #madeAt = 0;

  constructor(options: GoogleClientOptions) {
    this.#options = options;
    this.#timer = options.timer ?? systemTimer;
  }

  /**
   * Rejects with ProviderError if the client cannot be created, for example without credentials. The next
   * call tries again.
   */
  ready(): Promise<TextToSpeechClient> {
    this.#current ??= this.#make();
    return this.#current;
  }

  async #make(): Promise<TextToSpeechClient> {
    this.#madeAt = this.#timer.nowMs();
    try {
      const { TextToSpeechClient, grpc } = await loadLibraries();
      const client = new TextToSpeechClient(
        clientOptions(this.#options, () => grpc.credentials.createInsecure()),
      );
      // A client that is used before its initialization throws an error that no one can catch.
      await client.initialize();
      return client;
    } catch (error) {
      this.#current = null;
      throw ttsError('The speech synthesis does not accept these credentials', false, {
        reason: 'refused_key',
        cause: error,
      });
    }
  }

  /** Connects, and gets a token if there are credentials. */
  async warm(): Promise<void> {
    const client = await this.ready();
    try {
      if (!isEmulator(this.#options.endpoint)) await client.auth.getAccessToken();
      const stub: unknown = await client.textToSpeechStub;
      if (stub instanceof (await loadLibraries()).grpc.Client) await connected(stub);
    } catch (error) {
      throw fromGrpc(error);
    }
  }

  /** `client` stopped answering: the next request gets a new client on a separate connection. */
  renew(client: TextToSpeechClient): void {
    if (
      this.#current === null ||
      this.#retired.has(client) ||
      this.#timer.nowMs() - this.#madeAt < minRenewalMs
    )
      return;
    this.#current = null;
    // A failure to close it concerns nobody: it has no streams.
    const close = guarded(
      () => this.#close(client),
      () => undefined,
    );
    this.#retired.set(client, setTimeout(close, graceMs).unref());
  }

  async #close(client: TextToSpeechClient): Promise<void> {
    clearTimeout(this.#retired.get(client));
    this.#retired.delete(client);
    await client.close();
  }

  async close(): Promise<void> {
    const current = await this.#current?.catch(() => null);
    this.#current = null;
    await Promise.all(
      [...this.#retired.keys(), ...(current == null ? [] : [current])].map((client) => this.#close(client)),
    );
  }
}

type ClientOptions = NonNullable<ConstructorParameters<typeof TextToSpeechClient>[0]>;

function clientOptions(
  { key, endpoint }: GoogleClientOptions,
  insecure: () => ClientOptions['sslCreds'],
): ClientOptions {
  const url = endpoint === undefined ? null : new URL(endpoint);
  // By default, gRPC reuses the old client's connection for a new client.
  const address: ClientOptions = {
    'grpc.use_local_subchannel_pool': 1,
    ...(url === null
      ? {}
      : { apiEndpoint: url.hostname, ...(url.port === '' ? {} : { port: Number(url.port) }) }),
  };
  if (!isEmulator(endpoint)) return { ...address, ...authOf(key) };
  // An unencrypted connection carries no key. Without a key and a project, the SDK would look for them on the
  // network.
  return { ...address, sslCreds: insecure(), apiKey: 'simulated', projectId: 'simulated' };
}

function authOf(key: GoogleKey | undefined): ClientOptions {
  if (key === undefined) return {};
  return key.kind === 'api_key'
    ? { apiKey: key.value }
    : { credentials: ServiceAccount.parse(JSON.parse(key.value)) };
}

function connected(stub: Client): Promise<void> {
  return new Promise((resolve, reject) => {
    stub.waitForReady(Date.now() + connectMs, (cause) => {
      if (cause === undefined) return resolve();
      reject(ttsError('The speech synthesis could not be reached', true, { reason: 'unreachable', cause }));
    });
  });
}
