import type { LlmRequest } from '../../src/providers/llm/port.ts';
import { FakeLlm, type FakeReply } from './fake-llm.ts';

/** A gate that holds requests until it is opened. */
export interface Gate {
  wait(): Promise<void>;
  open(): void;
  /** Resolves when a request waits. */
  readonly reached: Promise<void>;
}

export function createGate(): Gate {
  const opened = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  return {
    wait: async () => {
      reached.resolve();
      await opened.promise;
    },
    open: () => opened.resolve(),
    reached: reached.promise,
  };
}

export interface Script {
  /** Takes precedence over the usual answers unless it is undefined. */
  before?: (request: LlmRequest, said: string) => FakeReply | undefined | Promise<FakeReply | undefined>;
  /** Values that extraction finds. */
  values?: (request: LlmRequest) => Record<string, unknown>;
}

/**
 * A model that follows an edge when the user's last words contain its function name, otherwise names its
 * prompt, and extracts the same values from everything.
 */
export function createScriptedLlm({ before, values = () => ({ day: 'Monday' }) }: Script = {}): FakeLlm {
  return new FakeLlm(async (request) => {
    const said = lastWords(request);
    const own = await before?.(request, said);
    if (own !== undefined) return own;
    if (request.responseFormat !== undefined) return { text: JSON.stringify(values(request)) };
    const wanted = request.tools.find(({ name }) => said.includes(name));
    return wanted === undefined
      ? { text: `Reply at ${request.messages[0]?.content ?? ''}` }
      : { toolCalls: [{ name: wanted.name }] };
  });
}

/** The user's last message. */
export function lastWords(request: LlmRequest): string {
  return request.messages.findLast(({ role }) => role === 'user')?.content ?? '';
}
