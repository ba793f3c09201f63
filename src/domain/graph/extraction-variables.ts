import { isObject, type JsonObject, own, ownList, ownText } from './definition.ts';
import { readBoolean } from './fields.ts';

const variableTypes = ['string', 'number', 'boolean'] as const;
export type VariableType = (typeof variableTypes)[number];

/** A variable to extract from the conversation (contract 8.1). */
export interface ExtractionVariable {
  name: string;
  type: VariableType;
  /** What to look for; a template. Empty when none was given. */
  prompt: string;
}

/**
 * The variables of a node's data; none unless extraction is on. Variables without a name are left out; of two
 * with the same name the later one counts.
 */
export function variablesOf(data: JsonObject): ExtractionVariable[] {
  if (readBoolean(own(data, 'extraction_enabled')) !== true) return [];
  const variables = new Map<string, ExtractionVariable>();
  for (const item of ownList(data, 'extraction_variables').filter(isObject)) {
    const name = ownText(item, 'name') ?? '';
    if (name.trim() === '') continue;
    variables.set(name, { name, type: readType(own(item, 'type')), prompt: ownText(item, 'prompt') ?? '' });
  }
  return [...variables.values()];
}

/** An absent type is `string` (contract 8.1). */
function readType(value: unknown): VariableType {
  return variableTypes.find((type) => type === value) ?? 'string';
}
