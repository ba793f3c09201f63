import type { LlmToolCall } from './port.ts';

/** A piece of a streamed tool call; every field may be missing. */
export interface ToolCallDelta {
  index?: number | null | undefined;
  id?: string | null | undefined;
  function?: { name?: string | null | undefined; arguments?: unknown } | null | undefined;
}

interface PartialCall {
  id: string | null;
  index: number | null;
  name: string | null;
  argumentsText: string;
}

/**
 * Joins streamed tool calls, which servers send differently: by id, then by index, then by order. It
 * tolerates a missing type or id, an index that is always 0, an id or a name repeated in every piece, and
 * whole arguments at once.
 */
export class ToolCallAssembler {
  readonly #calls: PartialCall[] = [];

  /** Adds a piece. */
  add(delta: ToolCallDelta): void {
    const call = this.#callFor(delta) ?? this.#open(delta);
    call.name ??= nonEmpty(delta.function?.name);
    call.argumentsText += argumentsPiece(delta.function?.arguments);
  }

  /** The calls in the order in which they began, or null if one of them has no name. */
  finish(): LlmToolCall[] | null {
    const calls: LlmToolCall[] = [];
    for (const [position, { id, name, argumentsText }] of this.#calls.entries()) {
      if (name === null) return null;
      calls.push({
        kind: 'tool_call',
        id: id ?? `call_${position}`,
        name,
        argumentsText,
        arguments: parseToolArguments(argumentsText),
      });
    }
    return calls;
  }

  #callFor(delta: ToolCallDelta): PartialCall | undefined {
    const id = nonEmpty(delta.id);
    const name = nonEmpty(delta.function?.name);
    if (id !== null) {
      const sameId = this.#calls.findLast((call) => call.id === id);
      return sameId !== undefined && name !== null && sameId.name !== null && sameId.name !== name
        ? undefined
        : sameId;
    }
    const index = delta.index ?? null;
    const candidate =
      index === null ? this.#calls.at(-1) : this.#calls.findLast((call) => call.index === index);
    return candidate !== undefined && name !== null && beginsAnother(candidate, name) ? undefined : candidate;
  }

  #open(delta: ToolCallDelta): PartialCall {
    const call: PartialCall = {
      id: nonEmpty(delta.id),
      index: delta.index ?? null,
      name: null,
      argumentsText: '',
    };
    this.#calls.push(call);
    return call;
  }
}

/**
 * Reads the arguments of a tool call. An empty text or `null` means no arguments; otherwise see
 * `parseJsonObject`. Returns null for unreadable arguments.
 */
export function parseToolArguments(text: string): Record<string, unknown> | null {
  const trimmed = text.trim();
  return trimmed === '' || trimmed === 'null' ? {} : parseJsonObject(trimmed);
}

/**
 * Finds the one JSON object in a model's text: bare, in a code fence, between other words, or encoded twice
 * as a JSON string. Returns null if there is none.
 */
export function parseJsonObject(text: string): Record<string, unknown> | null {
  const whole = readJson(text);
  if (isObject(whole)) return whole;
  if (typeof whole === 'string') return parseJsonObject(whole);
  const outermost = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  const inner = outermost === text ? undefined : readJson(outermost);
  return isObject(inner) ? inner : null;
}

/** Without an id, a repeated name begins a new call only if it differs or the last call is complete. */
function beginsAnother(call: PartialCall, name: string): boolean {
  return call.name !== null && (call.name !== name || readJson(call.argumentsText) !== undefined);
}

function argumentsPiece(piece: unknown): string {
  if (typeof piece === 'string') return piece;
  return piece === undefined || piece === null ? '' : JSON.stringify(piece);
}

function nonEmpty(text: string | null | undefined): string | null {
  return text === undefined || text === null || text === '' ? null : text;
}

/** The parsed document, or undefined for a text that is not JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
