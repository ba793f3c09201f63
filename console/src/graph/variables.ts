import { listVariables, type SourceType } from '../../../src/domain/graph/list-variables.ts';
import type { Finding, Warning } from '../../../src/domain/graph/findings.ts';
import { type KnownValues, textWarnings } from '../../../src/domain/graph/text-warnings.ts';
import { payloadNames } from '../../../src/domain/template/own-names.ts';
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

/** The names of variables whose values a test brings. */
export const namesForTests = (draft: Draft): string[] =>
  knownVariables(draft)
    .filter(({ sources }) => sources.some(({ type }) => type === 'trigger' || type === 'test_value'))
    .map(({ name }) => name);

/** The names of a webhook's payload (contract 9.2). */
export function payloadVariables(draft: Draft, listed: readonly ListedVariable[] = []): Variable[] {
  const values = knownVariables(draft, listed).filter(({ sources }) => sources[0]?.type !== 'time');
  const learned = listVariables({ definition: definitionOf(draft), testValues: {}, files: [] }).filter(
    ({ scope, sources }) => scope === 'gathered_context' && sources.length > 0,
  );
  return [
    ...[...payloadNames].map((name): Variable => ({ name, sources: [{ type: 'call' }], example: null })),
    { name: 'current_time', sources: [{ type: 'time' }], example: null },
    ...values.map((each) => ({ ...each, name: `initial_context.${each.name}` })),
    ...learned.map(({ name, sources }) => ({
      name: `gathered_context.${name}`,
      sources: sources.map(({ type }) => ({ type })),
      example: null,
    })),
  ];
}

const fromSomewhere = (sources: readonly Source[]): readonly Source[] =>
  sources.length > 0 ? sources : [{ type: 'trigger' }];

function onceEach(sources: readonly Source[]): readonly Source[] {
  const keyOf = ({ type, directory_name: file, column }: Source) => `${type} ${file ?? ''} ${column ?? ''}`;
  return [...new Map(sources.map((each) => [keyOf(each), each])).values()];
}

/** What is wrong with a variable of a text. */
export interface VariableFault extends Pick<Finding, 'code' | 'values' | 'message'> {
  name: string;
  /** A default would mend it, which a person has to say; or another text, which is known. */
  mend: 'default' | 'text' | null;
}

/** Faults of the variables of a prompt while it is typed, one for each name. */
export function variableFaults(text: string, known: KnownValues): VariableFault[] {
  const faults = warningsOf(text, known).map(({ name, warning: { code, values = {}, message, fix } }) => {
    const needsDefault = code === 'default_missing' || values['is'] === 'unset';
    const mend = needsDefault ? ('default' as const) : fix === undefined ? null : ('text' as const);
    return { name, code, values, message: withoutName(message, nameless), mend };
  });
  return [...new Map(faults.map((fault) => [fault.name, fault])).values()];
}

/** The text with what the warnings about a variable suggest in its place. */
export function mended(text: string, name: string, known: KnownValues): string {
  return warningsOf(text, known)
    .toReversed()
    .reduce((now, { name: of, warning: { fix } }) => {
      if (of !== name || fix?.edit.op !== 'replace_text') return now;
      const { start, end, text: other } = fix.edit;
      return now.slice(0, start) + other + now.slice(end);
    }, text);
}

const nameless = 'text';

function warningsOf(text: string, known: KnownValues): { name: string; warning: Warning }[] {
  const node = { id: nameless, type: 'globalNode', data: { name: nameless, prompt: text } };
  return textWarnings({ nodes: [node], edges: [] }, known).flatMap((warning) => {
    const name = /^\{\{\s*([^\s|}]+)/.exec(text.slice(warning.range?.start))?.[1];
    return warning.range === undefined || name === undefined ? [] : [{ name, warning }];
  });
}

const renames: ReadonlySet<string> = new Set(['ext_customer_id', 'phone_number']);

/** Columns of the files of the agent's campaigns that calls know by another name only, with that name. */
export function renamedColumnsOf(listed: readonly ListedVariable[]): ReadonlyMap<string, string> {
  const columnsOf = ({ sources }: ListedVariable) =>
    sources.flatMap(({ type, column }) => (type === 'file' && column != null ? [column.toLowerCase()] : []));
  const variables = listed.filter(({ name, sources }) => !renames.has(name) && sources.some(isOfFile));
  const own = new Set(variables.map(({ name }) => name.toLowerCase()));
  return new Map(
    listed
      .filter(({ name }) => renames.has(name))
      .flatMap((variable) =>
        columnsOf(variable)
          .filter((column) => column !== variable.name && !own.has(column))
          .map((column) => [column, variable.name] as const),
      ),
  );
}

/** What the files of the agent's campaigns tell the rules. */
export const filesOf = (listed: readonly ListedVariable[]) => ({
  renamedColumns: renamedColumnsOf(listed),
  hasCampaigns: listed.some(({ sources }) => sources.some(isOfFile)),
});

const isOfFile = ({ type }: Source): boolean => type === 'file';

/** Gives a variable a default wherever a text has it without one. */
export function withDefault(text: string, name: string, value: string): string {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return text.replaceAll(
    new RegExp(String.raw`\{\{\s*${escaped}\s*\}\}`, 'g'),
    () => `{{${name} | ${value.replaceAll('}', '')}}}`,
  );
}
