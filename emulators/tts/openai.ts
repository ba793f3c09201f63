import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { bytesOf } from '../../src/domain/audio/pcm.ts';
import { wavFile } from '../../src/domain/audio/wav.ts';
import { OpenAiError } from '../llm/openai-error.ts';
import { encodeSpeech } from '../modem/encode-speech.ts';
import type { BehaviorBook, Fault } from './behavior.ts';
import { addText, finish, type LogEntry, type RequestLog } from './log.ts';
import { play } from './play.ts';

const sampleRate = 24_000;
/** Odd, because TCP does not preserve sample boundaries. */
const pieceBytes = 4_801;

const SpeechRequest = z.strictObject({
  model: z.enum(['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts']).or(z.string().startsWith('simulated')),
  voice: z.string().min(1),
  input: z.string().min(1).max(4096),
  instructions: z.string().optional(),
  response_format: z.enum(['pcm', 'wav']).optional(),
  speed: z.number().min(0.25).max(4).optional(),
  stream_format: z.literal('audio').optional(),
});

const refusals: Partial<Record<Fault, OpenAiError>> = {
  quota: new OpenAiError(429, 'Rate limit reached (simulated)', { code: 'rate_limit_exceeded' }),
  refused_voice: new OpenAiError(400, 'There is no such voice (simulated)', {
    param: 'voice',
    code: 'invalid_value',
  }),
  refused_key: new OpenAiError(401, 'Incorrect API key provided (simulated)', { code: 'invalid_api_key' }),
  server_error: new OpenAiError(500, 'The server had an error (simulated)', { code: 'server_error' }),
};

export interface SpeechContext {
  behaviors: BehaviorBook;
  log: RequestLog;
  closing: AbortSignal;
}

/** `POST /v1/audio/speech`. Throws OpenAiError before anything is sent. */
export async function speak(
  req: IncomingMessage,
  res: ServerResponse,
  { behaviors, log, closing }: SpeechContext,
): Promise<void> {
  const entry = log.open('openai');
  const client = new AbortController();
  res.once('close', () => client.abort());
  try {
    const key = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
    if (key === undefined || !key.startsWith('simulated'))
      throw new OpenAiError(
        401,
        'Incorrect API key provided: the simulated voice takes keys that begin with "simulated"',
        { code: 'invalid_api_key' },
      );
    const request = SpeechRequest.safeParse(await readJson(req));
    if (!request.success) throw new OpenAiError(400, z.prettifyError(request.error));
    const { model, voice, input, response_format: format = 'wav', speed } = request.data;
    Object.assign(entry, { model, voice, sampleRate, speakingRate: speed ?? 1 });
    addText(entry, input);
    const behavior = behaviors.find({ service: 'openai', voice, text: input });
    const refusal = behavior.fault === undefined ? undefined : refusals[behavior.fault];
    if (refusal !== undefined) {
      await delay(behavior.firstByteDelayMs, undefined, {
        signal: AbortSignal.any([client.signal, closing]),
      });
      throw refusal;
    }
    const samples = encodeSpeech(input, sampleRate);
    res.setHeader('content-type', format === 'pcm' ? 'audio/pcm' : 'audio/wav').flushHeaders();
    const audio = format === 'pcm' ? bytesOf(samples, 'little') : wavFile(sampleRate, [samples]);
    const played = await play({
      audio,
      bytesPerSecond: sampleRate * 2,
      behavior,
      pieceBytes,
      send: (piece) => write(res, piece),
      left: AbortSignal.any([client.signal, closing]),
    });
    finish(entry, played === 'whole' ? 'complete' : 'broken_by_rule');
    if (played === 'whole') res.end();
    else res.socket?.resetAndDestroy();
  } catch (error) {
    noteEnd(entry, error);
    if (!res.headersSent) throw error;
  }
}

function noteEnd(entry: LogEntry, error: unknown): void {
  finish(entry, error instanceof OpenAiError ? 'refused' : 'client_left');
}

function write(res: ServerResponse, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    res.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}

async function readJson(req: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(Buffer.from(part));
  if (!req.complete) throw new Error('The client has left');
  try {
    return JSON.parse(Buffer.concat(parts).toString());
  } catch {
    throw new OpenAiError(400, 'We could not parse the JSON body of your request.');
  }
}
