import { isObject } from '../graph/definition.ts';

/** A tool that the model called. */
export interface ToolCallRequest {
  /** The model's id of the call. */
  id: string;
  name: string;
  argumentsText: string;
  /** The parsed `argumentsText`; null unless it is a JSON object. */
  values: Record<string, unknown> | null;
  toolUuid: string;
}

/** Arguments as logs show them: an object, or the text that the model wrote instead of one. */
export function shownArguments(argumentsText: string): unknown {
  try {
    const value: unknown = JSON.parse(argumentsText);
    return isObject(value) ? value : argumentsText;
  } catch {
    return argumentsText; // not JSON
  }
}
