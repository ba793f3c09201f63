import { describe, expect, test } from '@jest/globals';
import { ProviderError } from '../../../src/domain/errors.ts';
import { collectReply } from '../../../src/services/models/collect-reply.ts';
import type { LlmEvent, LlmPort, LlmRequest } from '../../../src/providers/llm/port.ts';
import type { FakeReply } from '../../support/fake-llm.ts';

export const aRequest: LlmRequest = {
  model: 'test-model',
  messages: [
    { role: 'system', content: 'You are a test.' },
    { role: 'user', content: 'Hello' },
  ],
  tools: [],
};

export const noParameters = { type: 'object', properties: {}, additionalProperties: false };

export const withTools: LlmRequest = {
  ...aRequest,
  tools: [
    { name: 'go_on', description: 'The caller agrees.', parameters: noParameters },
    {
      name: 'note',
      description: 'Notes a day.',
      parameters: { type: 'object', properties: { day: { type: 'string' } } },
    },
  ],
};

/** What a consumer saw of a stream: its events, and the error that ended it, if any. */
export async function watch(
  stream: AsyncIterable<LlmEvent>,
  onEvent: (event: LlmEvent) => void = () => {},
): Promise<{ events: LlmEvent[]; error: unknown }> {
  const events: LlmEvent[] = [];
  try {
    for await (const event of stream) {
      events.push(event);
      onEvent(event);
    }
    return { events, error: null };
  } catch (error) {
    return { events, error };
  }
}

export const never = (): AbortSignal => new AbortController().signal;

/** The contract of every LlmPort. `portThat` makes one that answers each request with the given action. */
export function describeConformance(name: string, portThat: (reply: FakeReply) => LlmPort): void {
  describe(`the port of ${name}`, () => {
    test('streams text in pieces that join to the whole, and one end as the last event', async () => {
      const text = 'Good morning, this is a whole sentence — with some “quotes” and 😀.';
      const { events, error } = await watch(portThat({ text }).stream(aRequest, { signal: never() }));
      expect(error).toBeNull();
      const pieces = events.filter((event) => event.kind === 'text').map((event) => event.text);
      expect(pieces.length).toBeGreaterThan(3);
      expect(pieces).not.toContain('');
      expect(pieces.join('')).toBe(text);
      expect(events.map(({ kind }) => kind).indexOf('end')).toBe(events.length - 1);
      expect(events.at(-1)).toEqual({
        kind: 'end',
        finishReason: 'stop',
        usage: expect.objectContaining({
          promptTokens: expect.any(Number),
          completionTokens: expect.any(Number),
        }),
      });
    });

    test('yields complete tool calls in order, after the text', async () => {
      const port = portThat({
        text: 'One moment.',
        toolCalls: [{ name: 'go_on' }, { name: 'note', arguments: { day: 'Thursday, 26 November' } }],
      });
      const { events } = await watch(port.stream(withTools, { signal: never() }));
      const calls = events.filter((event) => event.kind === 'tool_call');
      expect(calls.map((call) => [call.name, call.arguments])).toEqual([
        ['go_on', {}],
        ['note', { day: 'Thursday, 26 November' }],
      ]);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
      expect(events.slice(-3).map(({ kind }) => kind)).toEqual(['tool_call', 'tool_call', 'end']);
    });

    test('accepts a conversation with tool calls, including several in one answer', async () => {
      const messages: LlmRequest['messages'] = [
        ...aRequest.messages,
        {
          role: 'assistant',
          content: '',
          toolCalls: [
            { id: 'a', name: 'go_on', argumentsText: '{}' },
            { id: 'b', name: 'note', argumentsText: '{"day":"Thu"}' },
          ],
        },
        { role: 'tool', toolCallId: 'a', content: '{"status":"success"}' },
        { role: 'tool', toolCallId: 'b', content: 'noted' },
      ];
      const reply = await collectReply(
        portThat({ text: 'It is noted.' }).stream({ ...withTools, messages }, { signal: never() }),
      );
      expect(reply.text).toBe('It is noted.');
    });

    test('passes on arguments that are not JSON as sent, with null as their value', async () => {
      const reply = await collectReply(
        portThat({ toolCalls: [{ name: 'note', argumentsText: '{"day": "Thu' }] }).stream(withTools, {
          signal: never(),
        }),
      );
      expect(reply.toolCalls).toEqual([
        {
          kind: 'tool_call',
          id: expect.any(String),
          name: 'note',
          argumentsText: '{"day": "Thu',
          arguments: null,
        },
      ]);
    });

    test('yields an empty answer, which the caller judges', async () => {
      const reply = await collectReply(portThat({}).stream(aRequest, { signal: never() }));
      expect(reply).toEqual({ text: '', toolCalls: [], finishReason: 'stop', usage: expect.anything() });
    });

    test('throws a retryable provider error for a failure in the middle, without an end', async () => {
      const { events, error } = await watch(
        portThat({ text: 'This will not', fail: true }).stream(aRequest, { signal: never() }),
      );
      expect(events.map(({ kind }) => kind)).not.toContain('end');
      expect(error).toBeInstanceOf(ProviderError);
      expect(error).toMatchObject({ code: 'provider', provider: 'llm', retryable: true });
    });

    test('reports with the failure what a broken answer used, and nothing if no output came', async () => {
      const { error } = await watch(
        portThat({ text: 'This will not', fail: true }).stream(aRequest, { signal: never() }),
      );
      expect(error).toMatchObject({
        spent: { promptTokens: expect.any(Number), completionTokens: expect.any(Number), estimated: true },
      });
      expect(
        error instanceof ProviderError &&
          error.spent !== null &&
          error.spent.promptTokens > 0 &&
          error.spent.completionTokens > 0,
      ).toBe(true);
      expect(
        (await watch(portThat({ fail: true }).stream(aRequest, { signal: never() }))).error,
      ).toMatchObject({ spent: null });
    });

    test('throws an error that is not retryable for an abort in the middle, without an end', async () => {
      const controller = new AbortController();
      const { events, error } = await watch(
        portThat({ text: 'one two three four five six seven eight' }).stream(aRequest, {
          signal: controller.signal,
        }),
        () => controller.abort(),
      );
      expect(events.map(({ kind }) => kind)).not.toContain('end');
      expect(error).toMatchObject({ code: 'provider', provider: 'llm', retryable: false });
    });

    test('ends the wait for an abort during silence', async () => {
      const controller = new AbortController();
      // An adapter that yields answers in one piece yields nothing before the silence.
      setTimeout(() => controller.abort(), 100);
      const { events, error } = await watch(
        portThat({ text: 'Well', stall: true }).stream(aRequest, { signal: controller.signal }),
        () => setImmediate(() => controller.abort()),
      );
      expect(events.map(({ kind }) => kind)).not.toContain('end');
      expect(error).toMatchObject({ code: 'provider', retryable: false });
    });

    test('sends no request after an earlier abort', async () => {
      const { events, error } = await watch(
        portThat({ text: 'Hello' }).stream(aRequest, { signal: AbortSignal.abort() }),
      );
      expect(events).toEqual([]);
      expect(error).toMatchObject({ code: 'provider', retryable: false });
    });
  });
}
