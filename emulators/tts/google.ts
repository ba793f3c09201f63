import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Server, ServerCredentials, status, type ServerDuplexStream } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { guarded } from '../../src/runtime/guarded.ts';
import type { Behavior, BehaviorBook, Fault } from './behavior.ts';
import {
  GrpcRefusal,
  readConfig,
  readText,
  soundOf,
  type StreamRequest,
  type VoiceConfig,
} from './google-messages.ts';
import { addText, finish, type LogEntry, type RequestLog } from './log.ts';
import { play } from './play.ts';

/** Google's streaming synthesis over real gRPC, from the vendor's own protos. */
export interface GoogleEmulator {
  /** `http://127.0.0.1:<port>`: unencrypted, which shows that it is simulated. */
  url: string;
  close(): void;
}

export interface GoogleOptions {
  host: string;
  port: number;
  behaviors: BehaviorBook;
  log: RequestLog;
  /** A stream without input is aborted after this time. */
  idleMs: number;
}

type Call = ServerDuplexStream<StreamRequest, { audioContent: Uint8Array }>;

export async function startGoogle(options: GoogleOptions): Promise<GoogleEmulator> {
  const server = new Server();
  const closing = new AbortController();
  server.addService(loadService(), {
    streamingSynthesize: (call: Call) => new SynthesisStream(call, options, closing.signal),
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${options.host}:${options.port}`, ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      closing.abort();
      server.forceShutdown();
    },
  };
}

function loadService() {
  const { resolve } = createRequire(import.meta.url);
  const protos = join(dirname(resolve('@google-cloud/text-to-speech/package.json')), 'build/protos');
  const common = join(
    dirname(createRequire(resolve('@google-cloud/text-to-speech')).resolve('google-gax')),
    '../protos',
  );
  const definition = loadSync('google/cloud/texttospeech/v1/cloud_tts.proto', {
    includeDirs: [protos, common],
    enums: String,
    defaults: true,
    longs: Number,
  });
  const service = definition['google.cloud.texttospeech.v1.TextToSpeech'];
  if (service === undefined || 'format' in service)
    throw new Error('The protos of @google-cloud/text-to-speech have no such service');
  return service;
}

const refusals: Partial<Record<Fault, GrpcRefusal>> = {
  quota: new GrpcRefusal(
    status.RESOURCE_EXHAUSTED,
    "Quota exceeded for quota metric 'Chirp3 HD requests' (simulated)",
  ),
  refused_voice: new GrpcRefusal(
    status.INVALID_ARGUMENT,
    'Voice does not exist. Is it misspelled? (simulated)',
  ),
  refused_key: new GrpcRefusal(
    status.UNAUTHENTICATED,
    'Request had invalid authentication credentials (simulated)',
  ),
  server_error: new GrpcRefusal(status.INTERNAL, 'Internal error encountered (simulated)'),
};

/** One stream: texts are spoken in order of arrival. */
class SynthesisStream {
  readonly #call: Call;
  readonly #options: GoogleOptions;
  readonly #entry: LogEntry;
  readonly #left = new AbortController();
  readonly #stop: AbortSignal;
  #config: VoiceConfig | null = null;
  #idle: NodeJS.Timeout | undefined;
  #speaking: Promise<void> = Promise.resolve();

  constructor(call: Call, options: GoogleOptions, closing: AbortSignal) {
    this.#call = call;
    this.#options = options;
    this.#entry = options.log.open('google');
    this.#stop = AbortSignal.any([this.#left.signal, closing]);
    this.#waitForInput();
    const fail = (): void => this.#refuse(new GrpcRefusal(status.INTERNAL, 'The emulator failed'));
    const leave = guarded(() => this.#end('client_left'), fail);
    call.on(
      'data',
      guarded((request: StreamRequest) => this.#take(request), fail),
    );
    call.on(
      'end',
      guarded(() => this.#halfClosed(), fail),
    );
    call.on('cancelled', leave);
    call.on('error', leave);
  }

  #waitForInput(): void {
    clearTimeout(this.#idle);
    const message =
      'Stream aborted due to long duration elapsed without input sent. Input must be sent continuously, at least every 5s seconds.';
    this.#idle = setTimeout(
      () => this.#refuse(new GrpcRefusal(status.ABORTED, message)),
      this.#options.idleMs,
    );
  }

  #take(request: StreamRequest): void {
    if (this.#entry.ended !== 'open') return;
    this.#waitForInput();
    try {
      if (this.#config === null) return this.#begin(readConfig(request));
      const text = readText(request);
      addText(this.#entry, text);
      const behavior = this.#options.behaviors.find({ service: 'google', voice: this.#config.voice, text });
      const config = this.#config;
      this.#speaking = this.#speaking
        .then(() => this.#speak(text, config, behavior))
        .catch(() => this.#end('client_left'));
    } catch (error) {
      if (!(error instanceof GrpcRefusal)) throw error;
      this.#refuse(error);
    }
  }

  #begin(config: VoiceConfig): void {
    this.#config = config;
    Object.assign(this.#entry, {
      model: config.model,
      voice: config.voice,
      language: config.language,
      sampleRate: config.sampleRate,
      speakingRate: config.speakingRate,
    });
  }

  async #speak(text: string, config: VoiceConfig, behavior: Behavior): Promise<void> {
    if (this.#entry.ended !== 'open') return;
    const refusal = behavior.fault === undefined ? undefined : refusals[behavior.fault];
    if (refusal !== undefined) {
      await delay(behavior.firstByteDelayMs, undefined, { signal: this.#stop });
      return this.#refuse(refusal);
    }
    const bytesPerSecond = config.sampleRate * (config.encoding === 'PCM' ? 2 : 1);
    const send = (piece: Uint8Array) => void this.#call.write({ audioContent: piece });
    const played = await play({
      audio: soundOf(text, config),
      bytesPerSecond,
      behavior,
      pieceBytes: bytesPerSecond / 10,
      send,
      left: this.#stop,
    });
    if (played === 'reset')
      this.#refuse(new GrpcRefusal(status.UNAVAILABLE, 'Connection dropped (simulated)'), 'broken_by_rule');
  }

  async #halfClosed(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#speaking;
    if (this.#entry.ended !== 'open') return;
    this.#call.end();
    this.#end('complete');
  }

  #refuse(refusal: GrpcRefusal, ended: 'refused' | 'broken_by_rule' = 'refused'): void {
    if (this.#entry.ended !== 'open') return;
    this.#end(ended);
    this.#call.emit('error', { code: refusal.code, details: refusal.message });
  }

  #end(ended: Exclude<LogEntry['ended'], 'open'>): void {
    clearTimeout(this.#idle);
    finish(this.#entry, ended);
    this.#left.abort();
  }
}
