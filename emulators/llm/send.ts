import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Decision } from './decide.ts';
import type { LogEntry, Sent } from './log.ts';
import { finishReasonOf, piecesOf, usageOf, type Delta } from './pieces.ts';
import type { ChatRequest } from './request.ts';

export interface Exchange {
  request: ChatRequest;
  decision: Decision;
  entry: LogEntry;
  res: ServerResponse;
  /** Fires when the client has left or the emulator closes. */
  left: AbortSignal;
}

/** Sends the answer, streaming or whole, with the faults of the rule. Returns how the sending ended. */
export async function sendAnswer(exchange: Exchange): Promise<Sent> {
  const { request, decision, entry, res, left } = exchange;
  try {
    if (decision.action.stall === 'before_headers') await forever(left);
    if (request.stream === true) return await stream(exchange);
    await pause(decision.action.firstTokenDelayMs, left);
    if (decision.action.stall !== undefined) await forever(left);
    if (decision.action.breakOff !== undefined) return breakConnection(res);
    entry.status = 200;
    res.setHeader('content-type', 'application/json').end(JSON.stringify(wholeAnswer(exchange)));
    return 'complete';
  } catch (error) {
    if (left.aborted || res.destroyed) return 'client_left';
    throw error;
  }
}

async function stream(exchange: Exchange): Promise<Sent> {
  const { request, decision, entry, res, left } = exchange;
  const { answer, action } = decision;
  const { quirks = [] } = action;
  const pieces = piecesOf(answer, quirks);
  res.setHeader('content-type', 'text/event-stream').setHeader('cache-control', 'no-cache').flushHeaders();
  entry.status = 200;
  const send = (choices: unknown[], more: object = {}) =>
    write(
      res,
      `data: ${JSON.stringify({ ...head(exchange), object: 'chat.completion.chunk', choices, ...more })}\n\n`,
      left,
    );
  const sendDelta = (delta: Delta, finishReason: string | null = null) =>
    send(
      [
        {
          index: 0,
          [quirks.includes('message_instead_of_delta') ? 'message' : 'delta']: delta,
          finish_reason: finishReason,
        },
      ],
      quirks.includes('usage_in_every_chunk') ? { usage: usageOf(request, answer) } : {},
    );

  await sendDelta({ role: 'assistant', content: answer.calls.length > 0 && answer.text === '' ? null : '' });
  await pause(action.firstTokenDelayMs, left);
  if (action.stall === 'before_first_token') await forever(left);
  const middle = Math.ceil(pieces.length / 2);
  for (const [position, delta] of pieces.entries()) {
    if (position > 0) await pause(action.pieceDelayMs, left);
    if (position === middle && action.breakOff !== undefined)
      return await breakOff(action.breakOff, exchange);
    if (position === middle && action.stall === 'mid_stream') await forever(left);
    entry.firstPieceAt ??= new Date().toISOString();
    await sendDelta(delta);
  }
  if (action.breakOff !== undefined) return breakOff(action.breakOff, exchange);
  if (action.stall === 'mid_stream') await forever(left);
  await sendDelta({}, finishReasonOf(answer, quirks));
  if (action.stall === 'before_usage') await forever(left);
  if (request.stream_options?.include_usage === true && !quirks.includes('no_usage'))
    await send([], { usage: usageOf(request, answer) });
  await write(res, 'data: [DONE]\n\n', left);
  res.end();
  return 'complete';
}

async function breakOff(
  how: NonNullable<Decision['action']['breakOff']>,
  { res, left }: Exchange,
): Promise<Sent> {
  switch (how) {
    case 'reset':
      return breakConnection(res);
    case 'no_end':
      break;
    case 'not_json':
      await write(res, 'data: {"choices":[{"index":0,"delta":{"content":"\n\n', left);
      break;
    case 'wrong_shape':
      await write(res, 'data: {"choices":[{"index":0,"delta":{"content":42}}]}\n\n', left);
      break;
    case 'error_event':
      await write(
        res,
        'data: {"error":{"message":"The simulated server had an error.","type":"server_error","param":null,"code":"server_error"}}\n\n',
        left,
      );
      break;
  }
  res.end();
  return 'broken_by_rule';
}

/** Ends the TCP connection in the middle of the HTTP answer. */
function breakConnection(res: ServerResponse): Sent {
  res.socket?.resetAndDestroy();
  return 'broken_by_rule';
}

function wholeAnswer(exchange: Exchange): unknown {
  const { request, decision } = exchange;
  const { answer, action } = decision;
  const calls = answer.calls.map(({ id, name, argumentsText }) => ({
    id,
    type: 'function',
    function: { name, arguments: argumentsText },
  }));
  const content = calls.length > 0 && answer.text === '' ? null : answer.text;
  const message = {
    role: 'assistant',
    content,
    refusal: null,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const choices = [
    { index: 0, message, logprobs: null, finish_reason: finishReasonOf(answer, action.quirks ?? []) },
  ];
  return { ...head(exchange), object: 'chat.completion', choices, usage: usageOf(request, answer) };
}

/** The model's name in an answer contains *simulated*, so that stored answers show it, too. */
function head({ request, entry }: Exchange) {
  return {
    id: `chatcmpl-simulated-${entry.id}`,
    created: Math.floor(Date.parse(entry.receivedAt) / 1000),
    model: `simulated-${request.model}`,
    system_fingerprint: 'fp_simulated',
  };
}

function write(res: ServerResponse, text: string, left: AbortSignal): Promise<void> {
  left.throwIfAborted();
  return new Promise((resolve, reject) => {
    left.addEventListener('abort', reject, { once: true });
    res.write(text, (error) => {
      left.removeEventListener('abort', reject);
      if (error) reject(error);
      else resolve();
    });
  });
}

async function pause(ms: number | undefined, left: AbortSignal): Promise<void> {
  if (ms !== undefined && ms > 0) await delay(ms, undefined, { signal: left });
}

/** Silence until the client has left. */
function forever(left: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (left.aborted) reject(new Error('The client has left'));
    left.addEventListener('abort', () => reject(new Error('The client has left')), { once: true });
  });
}
