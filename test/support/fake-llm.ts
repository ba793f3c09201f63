import { ProviderError } from '../../src/domain/errors.ts';
import type { LlmCallOptions, LlmEvent, LlmPort, LlmRequest } from '../../src/providers/llm/port.ts';
import { parseToolArguments } from '../../src/providers/llm/tool-calls.ts';
import { estimateUsage } from '../../src/providers/llm/usage.ts';

/** The fake's answer to one request. Without text and calls it is an empty answer. */
export interface FakeReply {
  /** Streamed word by word. */
  text?: string;
  toolCalls?: { name: string; arguments?: Record<string, unknown>; argumentsText?: string }[];
  finishReason?: string;
  /** Thrown after the text. `true` = a retryable ProviderError. */
  fail?: true | Error;
  /** After the text the answer hangs until the request is aborted. */
  stall?: true;
}

export type FakeScript = FakeReply[] | ((request: LlmRequest, nth: number) => FakeReply | Promise<FakeReply>);

/**
 * A scripted LlmPort: a queue of replies, or a function of the request and its number (from 0). It passes the
 * port's conformance suite. `requests` has all requests; `push` adds replies to the queue; an empty queue is
 * an error.
 */
export class FakeLlm implements LlmPort {
  readonly simulated = true;
  readonly provider = 'simulated';
  readonly requests: LlmRequest[] = [];
  readonly #script: FakeScript;

  constructor(script: FakeScript = []) {
    this.#script = script;
  }

  push(...replies: FakeReply[]): void {
    if (typeof this.#script === 'function')
      throw new Error('This fake answers by a function; it has no queue');
    this.#script.push(...replies);
  }

  async *stream(request: LlmRequest, { signal }: LlmCallOptions): AsyncGenerator<LlmEvent> {
    const nth = this.requests.push(request) - 1;
    throwIfAborted(signal);
    const nothing = aborted(signal).then((): FakeReply => ({}));
    const reply = await Promise.race([this.#replyTo(request, nth), nothing]);
    for (const text of reply.text?.match(/\S*\s*/g)?.filter((each) => each !== '') ?? []) {
      throwIfAborted(signal);
      yield { kind: 'text', text };
    }
    if (reply.stall) await aborted(signal);
    throwIfAborted(signal);
    if (reply.fail === true)
      throw new ProviderError('The language model failed', {
        provider: 'llm',
        retryable: true,
        spent: reply.text === undefined ? null : estimateUsage(request, reply.text),
      });
    if (reply.fail !== undefined) throw reply.fail;
    let answered = reply.text ?? '';
    for (const [position, call] of (reply.toolCalls ?? []).entries()) {
      const argumentsText = call.argumentsText ?? JSON.stringify(call.arguments ?? {});
      answered += argumentsText;
      yield {
        kind: 'tool_call',
        id: `call_${nth}_${position}`,
        name: call.name,
        argumentsText,
        arguments: parseToolArguments(argumentsText),
      };
    }
    throwIfAborted(signal);
    yield {
      kind: 'end',
      finishReason: reply.finishReason ?? (reply.toolCalls === undefined ? 'stop' : 'tool_calls'),
      usage: estimateUsage(request, answered),
    };
  }

  async #replyTo(request: LlmRequest, nth: number): Promise<FakeReply> {
    if (typeof this.#script === 'function') return this.#script(request, nth);
    const reply = this.#script.shift();
    if (reply === undefined) throw new Error(`The fake language model has no reply left for request ${nth}`);
    return reply;
  }
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted)
    throw new ProviderError('The request to the language model was aborted', {
      provider: 'llm',
      retryable: false,
      cause: signal.reason,
    });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
