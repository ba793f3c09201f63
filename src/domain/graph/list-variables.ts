import { variablesOf } from './extraction-variables.ts';
import { ownSourceOf, rootName } from '../template/own-names.ts';
import { parseTemplate } from '../template/parse.ts';
import { type Definition, type JsonObject, nodesOf, own, ownObject, ownText } from './definition.ts';
import { isConversationKind } from './node-kinds.ts';
import { nodeOf } from './model.ts';
import { templateTexts } from './template-texts.ts';

/** Where a value may come from. `call` are fields of the ended call, in payloads (contract 9.2). */
export type SourceType =
  | 'trigger'
  | 'file'
  | 'pre_call_fetch'
  | 'telephony'
  | 'time'
  | 'service'
  | 'test_value'
  | 'extraction'
  | 'call';

export interface VariableSource {
  type: SourceType;
  /** The node that asks or extracts. */
  nodeId?: string | undefined;
  /** Of `file`. */
  directoryId?: number;
  column?: string;
}

export interface Variable {
  name: string;
  /** Values at the start of the call, values learned in it, or its own fields. */
  scope: 'initial_context' | 'gathered_context' | 'call';
  /** The first default of its uses; null without one. */
  defaultText: string | null;
  uses: { kind: 'node' | 'edge'; id: string | null; field: string; hasDefault: boolean }[];
  sources: VariableSource[];
}

/** A contact file whose columns become variables. */
export interface VariableFile {
  directoryId: number;
  columns: readonly { name: string; column: string }[];
}

/**
 * The variables of an agent (contract 1.6): those that its texts use, in the order of the graph, then those that test
 * values, files and extraction offer.
 */
export function listVariables({
  definition,
  testValues,
  files,
}: {
  definition: Definition;
  testValues: JsonObject;
  files: readonly VariableFile[];
}): Variable[] {
  const found = new Map<string, Variable>();
  const at = (scope: Variable['scope'], name: string): Variable => {
    const known = found.get(`${scope}/${name}`) ?? { name, scope, defaultText: null, uses: [], sources: [] };
    found.set(`${scope}/${name}`, known);
    return known;
  };
  for (const { kind, item, field, text, place } of templateTexts(definition))
    for (const segment of parseTemplate(text)) {
      if (segment.kind === 'text') continue;
      const { scope, name } = place === 'payload' ? payloadPlace(segment.name) : promptPlace(segment.name);
      const variable = at(scope, name);
      variable.defaultText ??= segment.defaultText;
      variable.uses.push({
        kind,
        id: ownText(item, 'id') ?? null,
        field,
        hasDefault: segment.defaultText !== null,
      });
    }
  for (const name of Object.keys(testValues))
    at('initial_context', name).sources.push({ type: 'test_value' });
  for (const { directoryId, columns } of files)
    for (const { name, column } of columns)
      at('initial_context', name).sources.push({ type: 'file', directoryId, column });
  for (const { nodeId, name } of extractedNames(definition))
    at('gathered_context', name).sources.push({ type: 'extraction', nodeId });
  const fetching = fetchingNode(definition);
  for (const variable of found.values()) variable.sources.push(...usualSources(variable, fetching));
  return [...found.values()];
}

/** Sources that follow from the name alone, and from a request before the call. */
function usualSources({ name, scope }: Variable, fetching: string | null): VariableSource[] {
  if (scope === 'gathered_context') return [];
  const owned = ownSourceOf(name);
  if (scope === 'call') return [{ type: owned === 'time' ? 'time' : 'call' }];
  if (owned !== null) return [{ type: owned }];
  return [
    { type: 'trigger' },
    ...(fetching === null ? [] : [{ type: 'pre_call_fetch' as const, nodeId: fetching }]),
  ];
}

/** A time zone may have a dot in its name, so time variables are whole names. */
function promptPlace(name: string): Pick<Variable, 'scope' | 'name'> {
  if (ownSourceOf(name) === 'time') return { scope: 'initial_context', name };
  return name.startsWith('gathered_context.')
    ? gatheredPlace(name)
    : { scope: 'initial_context', name: rootName(name) };
}

function payloadPlace(name: string): Pick<Variable, 'scope' | 'name'> {
  if (name.startsWith('initial_context.')) return { scope: 'initial_context', name: rootName(name) };
  if (name.startsWith('gathered_context.')) return gatheredPlace(name);
  return { scope: 'call', name: ownSourceOf(name) === 'time' ? name : (name.split('.', 1)[0] ?? name) };
}

function gatheredPlace(name: string): Pick<Variable, 'scope' | 'name'> {
  const inner = name.replace(/^gathered_context\.(?:extracted_variables\.)?/, '');
  return { scope: 'gathered_context', name: inner.split('.', 1)[0] ?? inner };
}

function extractedNames(definition: Definition): { nodeId: string | undefined; name: string }[] {
  return nodesOf(definition)
    .filter((node) => isConversationKind(own(node, 'type')))
    .flatMap((node) =>
      variablesOf(ownObject(node, 'data')).map(({ name }) => ({ nodeId: ownText(node, 'id'), name })),
    );
}

/** The start node that asks the customer's system before the call; null if none does. */
function fetchingNode(definition: Definition): string | null {
  const start = nodesOf(definition).find((node) => own(node, 'type') === 'startCall');
  const id = start === undefined ? undefined : ownText(start, 'id');
  const fetch = id === undefined ? undefined : nodeOf(definition, id)?.preCallFetch;
  return fetch === undefined || fetch.mode === 'disabled' || fetch.url === null ? null : (id ?? null);
}
