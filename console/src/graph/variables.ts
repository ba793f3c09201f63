import type { JsonObject } from '../../../src/domain/graph/definition.ts';
import { listVariables, type SourceType } from '../../../src/domain/graph/list-variables.ts';
import { textWarnings } from '../../../src/domain/graph/text-warnings.ts';
import { definitionOf, type Draft } from './draft.ts';
import { withoutName } from './problems.ts';

/** Where a value comes from. The server knows the contact file and its column. */
export interface Source {
  type: SourceType;
  directory_name?: string | null;
  column?: string | null;
}

/** A variable that a prompt may use. */
export interface Variable {
  name: string;
  /** Where its value comes from; at least one. */
  sources: readonly Source[];
  /** The default that another text gives it, or its test value. */
  example: string | null;
}

const ofEveryCall: readonly Variable[] = [
  { name: 'caller_number', sources: [{ type: 'telephony' }], example: null },
  { name: 'called_number', sources: [{ type: 'telephony' }], example: null },
  { name: 'current_time', sources: [{ type: 'time' }], example: null },
  { name: 'current_weekday', sources: [{ type: 'time' }], example: null },
];

/** A variable as the server lists it: also from files, which the draft does not know. */
export interface ListedVariable {
  name: string;
  scope: string;
  default: string | null;
  sources: readonly Source[];
}

/** The variables of prompts: those of the draft, of the server's list, and of every call. */
export function knownVariables(draft: Draft, listed: readonly ListedVariable[] = []): Variable[] {
  const found = new Map<string, Variable>();
  const put = ({ name, sources, example }: Variable) => {
    const known = found.get(name);
    // The server's sources come first, because they name files.
    const all = onceEach([...sources, ...(known?.sources ?? [])]);
    found.set(name, { name, sources: all, example: known?.example ?? example });
  };
  const own = listVariables({ definition: definitionOf(draft), testValues: draft.values, files: [] });
  for (const { name, scope, defaultText, sources } of own)
    if (scope === 'initial_context') {
      const value = draft.values[name];
      const example =
        value === undefined ? defaultText : typeof value === 'string' ? value : JSON.stringify(value);
      put({ name, sources: fromSomewhere(sources.map(({ type }) => ({ type }))), example });
    }
  for (const { name, scope, default: example, sources } of listed)
    if (scope === 'initial_context') put({ name, sources: fromSomewhere(sources), example });
  for (const each of ofEveryCall) if (!found.has(each.name)) put(each);
  return [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name));
}

const fromSomewhere = (sources: readonly Source[]): readonly Source[] =>
  sources.length > 0 ? sources : [{ type: 'trigger' }];

function onceEach(sources: readonly Source[]): readonly Source[] {
  const keyOf = ({ type, directory_name: file, column }: Source) => `${type} ${file ?? ''} ${column ?? ''}`;
  return [...new Map(sources.map((each) => [keyOf(each), each])).values()];
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
