import type { ToolCallRequest } from '../../domain/call/tool-call.ts';
import { isObject, own, ownList, ownText, type JsonObject } from '../../domain/graph/definition.ts';
import type { JournaledDecision } from '../../domain/speech/journal.ts';
import { noDecision, type Decision } from './step-parts.ts';

/**
 * Reads from the journal what the model decided at another host. The usage is lost with that host, which had
 * to report it.
 */
export function readDecision({ data }: JournaledDecision): Decision {
  return {
    ...noDecision,
    chosenEdge: ownText(data, 'chosenEdge') ?? null,
    toolCalls: ownList(data, 'toolCalls').filter(isObject).flatMap(toolCallOf),
  };
}

function toolCallOf(call: JsonObject): ToolCallRequest[] {
  const [id, name, argumentsText, toolUuid] = [
    ownText(call, 'id'),
    ownText(call, 'name'),
    ownText(call, 'argumentsText'),
    ownText(call, 'toolUuid'),
  ];
  const values = own(call, 'values');
  if (id === undefined || name === undefined || argumentsText === undefined || toolUuid === undefined)
    return [];
  return [{ id, name, argumentsText, toolUuid, values: isObject(values) ? values : null }];
}
