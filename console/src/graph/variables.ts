import type { JsonObject } from '../../../src/domain/graph/definition.ts';
import { listVariables, type SourceType } from '../../../src/domain/graph/list-variables.ts';
import { textWarnings } from '../../../src/domain/graph/text-warnings.ts';
import { definitionOf, type Draft } from './draft.ts';
import { withoutName } from './problems.ts';

/** A variable that a prompt may use. */
export interface Variable {
  name: string;
  /** Where its value comes from. */
  source: SourceType;
  /** The default that another text gives it, or its test value. */
  example: string | null;
}

const ofEveryCall: readonly Variable[] = [
  { name: 'caller_number', source: 'telephony', example: null },
  { name: 'called_number', source: 'telephony', example: null },
  { name: 'current_time', source: 'time', example: null },
  { name: 'current_weekday', source: 'time', example: null },
];

/** A variable as the server lists it: also from files, which the draft does not know. */
export interface ListedVariable {
  name: string;
  scope: string;
  default: string | null;
  sources: readonly { type: SourceType }[];
}

/** The variables of prompts: those of the draft, of the server's list, and of every call. */
export function knownVariables(draft: Draft, listed: readonly ListedVariable[] = []): Variable[] {
  const found = new Map<string, Variable>();
  const put = (each: Variable) => found.set(each.name, found.get(each.name) ?? each);
  const own = listVariables({ definition: definitionOf(draft), testValues: draft.values, files: [] });
  for (const { name, scope, defaultText, sources } of own)
    if (scope === 'initial_context') {
      const value = draft.values[name];
      const example =
        value === undefined ? defaultText : typeof value === 'string' ? value : JSON.stringify(value);
      put({ name, source: sources[0]?.type ?? 'trigger', example });
    }
  for (const { name, scope, default: example, sources } of listed)
    if (scope === 'initial_context') put({ name, source: sources[0]?.type ?? 'trigger', example });
  for (const each of ofEveryCall) put(each);
  return [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name));
}

/** What is wrong with a variable of a text. */
export interface VariableFault {
  name: string;
  message: string;
  /** A default would mend it. */
  needsDefault: boolean;
}

/** Faults of the variables of a prompt while it is typed, one for each name. */
export function variableFaults(text: string, values: JsonObject): VariableFault[] {
  const node = { id: 'text', type: 'globalNode', data: { name: 'text', prompt: text } };
  const testValues = Object.keys(values).length === 0 ? null : values;
  const faults = new Map<string, VariableFault>();
  for (const { message, range, fix } of textWarnings({ nodes: [node], edges: [] }, testValues)) {
    const name = /^\{\{\s*([^\s|}]+)/.exec(text.slice(range?.start))?.[1];
    if (range !== undefined && name !== undefined)
      faults.set(name, { name, message: withoutName(message, 'text'), needsDefault: fix !== undefined });
  }
  return [...faults.values()];
}

/** Gives a variable a default wherever a text has it without one. */
export function withDefault(text: string, name: string, value: string): string {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return text.replaceAll(
    new RegExp(String.raw`\{\{\s*${escaped}\s*\}\}`, 'g'),
    () => `{{${name} | ${value.replaceAll('}', '')}}}`,
  );
}
