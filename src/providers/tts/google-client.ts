import { TextToSpeechClient } from '@google-cloud/text-to-speech';
import { Client, credentials } from '@grpc/grpc-js';
import { fromGrpc, ttsError } from './failures.ts';

/** Credentials are found by Google's own library: GOOGLE_APPLICATION_CREDENTIALS, or the machine's. */
export interface GoogleClientOptions {
  /** `https://eu-texttospeech.googleapis.com` for a region; `http://…` is a stand-in, asked in clear and without credentials. */
  endpoint: string | undefined;
}

export const isStandIn = (endpoint: string | undefined): boolean => endpoint?.startsWith('http:') === true;

/** A channel that has gone silent is replaced, but not by every call that noticed. */
const leastRenewalMs = 5_000;
/** Calls on a replaced channel may finish. */
const graceMs = 60_000;
const connectMs = 5_000;

/** Google's client: made once, ready when it is first needed, replaced when it does not answer. */
export class GoogleClient {
  readonly #options: GoogleClientOptions;
  readonly #retired = new Map<TextToSpeechClient, NodeJS.Timeout>();
  #current: Promise<TextToSpeechClient> | null = null;
  #madeAt = 0;

  constructor(options: GoogleClientOptions) {
    this.#options = options;
  }

  /** Rejects with ProviderError where the client cannot be made: no credentials, say. The next one tries again. */
  ready(): Promise<TextToSpeechClient> {
    this.#current ??= this.#make();
    return this.#current;
  }

  async #make(): Promise<TextToSpeechClient> {
    this.#madeAt = performance.now();
    try {
      const client = new TextToSpeechClient(clientOptions(this.#options));
      // Asked before it is ready, the SDK throws where nobody can catch.
      await client.initialize();
      return client;
    } catch (error) {
      this.#current = null;
      throw ttsError('The speech synthesis is not usable with these credentials', false, { reason: 'refused_key', cause: error });
    }
  }

  /** Connects, and gets a token where there are credentials. */
  async warm(): Promise<void> {
    const client = await this.ready();
    try {
      if (!isStandIn(this.#options.endpoint)) await client.auth.getAccessToken();
      const stub: unknown = await client.textToSpeechStub;
      if (stub instanceof Client) await connected(stub);
    } catch (error) {
      throw error instanceof Error && error.message.includes('before the deadline') ? ttsError('The speech synthesis could not be reached', true, { reason: 'unreachable', cause: error }) : fromGrpc(error);
    }
  }

  /** `client` did not answer: the next call gets another one, on a connection of its own. */
  renew(client: TextToSpeechClient): void {
    if (this.#current === null || this.#retired.has(client) || performance.now() - this.#madeAt < leastRenewalMs) return;
    this.#current = null;
    this.#retired.set(client, setTimeout(() => void this.#close(client), graceMs).unref());
  }

  async #close(client: TextToSpeechClient): Promise<void> {
    clearTimeout(this.#retired.get(client));
    this.#retired.delete(client);
    await client.close();
  }

  async close(): Promise<void> {
    const current = await this.#current?.catch(() => null);
    this.#current = null;
    await Promise.all([...this.#retired.keys(), ...(current == null ? [] : [current])].map((client) => this.#close(client)));
  }
}

type ClientOptions = NonNullable<ConstructorParameters<typeof TextToSpeechClient>[0]>;

function clientOptions({ endpoint }: GoogleClientOptions): ClientOptions {
  const url = endpoint === undefined ? null : new URL(endpoint);
  const address: ClientOptions = url === null ? {} : { apiEndpoint: url.hostname, ...(url.port === '' ? {} : { port: Number(url.port) }) };
  if (!isStandIn(endpoint)) return address;
  // Over a plain connection no key is sent; without key and project the SDK would look for both on the network.
  return { ...address, sslCreds: credentials.createInsecure(), apiKey: 'simulated', projectId: 'simulated' };
}

function connected(stub: Client): Promise<void> {
  return new Promise((resolve, reject) => {
    stub.waitForReady(Date.now() + connectMs, (error) => (error === undefined ? resolve() : reject(error)));
  });
}
