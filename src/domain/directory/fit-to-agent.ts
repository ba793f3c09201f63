import { conversationEdges } from '../graph/edges.ts';
import { type Definition, nodesOf, ownText } from '../graph/definition.ts';
import { globalPrompt, nodeOf } from '../graph/model.ts';
import { parseTemplate, type Placeholder } from '../template/parse.ts';
import { isZone } from '../../contract/data/zones.ts';
import { readTimeName } from '../template/time.ts';
import { exposedNames, ownNames, takenColumns } from './exposed-names.ts';
import type { Mapping } from './mapping.ts';

export interface FitWarning {
  code:
    | 'own_name_of_identifier'
    | 'own_name_of_phone'
    | 'column_taken'
    | 'no_identifier'
    | 'from_fetch'
    | 'column_hidden';
  /** Of the variable or the column. */
  name: string;
  /** For people: what will happen, and what to write instead. */
  message: string;
}

export interface AgentFit {
  /** Variables without a default that nothing fills. The campaign is refused (contract 11.3). */
  missing: string[];
  warnings: FitWarning[];
  /** Columns whose empty cells leave a variable without a default empty. */
  required: string[];
}

/**
 * Whether the columns of a file fill what an agent says (contract 11.3): undotted placeholders of node
 * prompts, the global prompt, the greeting and transition speeches. Time variables and what the service adds
 * to every campaign call need no column. If the agent makes a request before the call, missing variables are
 * warnings, because the customer's system may supply them.
 */
export function fitToAgent({
  definition,
  columns,
  mapping,
  fetchesBeforeCall,
}: {
  definition: Definition;
  columns: readonly string[];
  mapping: Mapping;
  fetchesBeforeCall: boolean;
}): AgentFit {
  const exposed = new Map(exposedNames(columns, mapping).map(({ name, index }) => [name, index]));
  const variables = variablesOf(definition);
  const unfilled = [...variables].filter(([name]) => !exposed.has(name));
  const missing = unfilled.filter(([, hasDefault]) => !hasDefault).map(([name]) => name);
  const required = [...variables].flatMap(([name, hasDefault]) =>
    hasDefault ? [] : (columns[exposed.get(name) ?? -1] ?? []),
  );
  return {
    missing: fetchesBeforeCall ? [] : missing,
    required: [...new Set(required)],
    warnings: [
      ...unfilled.flatMap(([name]) => takenWarning(name, mapping)),
      ...(fetchesBeforeCall
        ? missing.map((name) =>
            warning(
              'from_fetch',
              name,
              `No column is called ${name}; the request before the call has to supply it, or {{${name}}} stays empty`,
            ),
          )
        : []),
      ...(mapping.identifier === null && usesIdentifier(definition)
        ? [
            warning(
              'no_identifier',
              'ext_customer_id',
              'The agent uses {{ext_customer_id}}, but no column is chosen as the identifier, so it will be empty',
            ),
          ]
        : []),
      ...columns
        .filter((column) => isOfService(column) && column !== mapping.phone && column !== mapping.identifier)
        .map((column) =>
          warning(
            'column_hidden',
            column,
            `The column ${column} is not available under that name because the service sets it for every call; give the column another name`,
          ),
        ),
    ],
  };
}

/** Names in the order of the graph. The value says whether all uses of the name have a default. */
function variablesOf(definition: Definition): Map<string, boolean> {
  const found = new Map<string, boolean>();
  for (const { name, defaultText } of placeholdersOf(definition)) {
    if (name.includes('.') || isOfService(name)) continue;
    found.set(name, (found.get(name) ?? true) && defaultText !== null);
  }
  return found;
}

function usesIdentifier(definition: Definition): boolean {
  return placeholdersOf(definition).some(
    ({ name, defaultText }) => name === 'ext_customer_id' && defaultText === null,
  );
}

function placeholdersOf(definition: Definition): Placeholder[] {
  const nodes = nodesOf(definition).flatMap((node) => nodeOf(definition, ownText(node, 'id') ?? '') ?? []);
  const texts = [
    globalPrompt(definition) ?? '',
    ...nodes.flatMap(({ prompt, greeting }) => [prompt, greeting?.kind === 'text' ? greeting.text : '']),
    ...conversationEdges(definition).map(({ transitionSpeech }) => transitionSpeech ?? ''),
  ];
  return texts.flatMap(parseTemplate).filter((segment) => segment.kind === 'placeholder');
}

/**
 * Keys that the service adds to the context of campaign calls (contract 6.4, 11.6), in addition to those of
 * each contact.
 */
const serviceKeys: ReadonlySet<string> = new Set([
  ...ownNames,
  'caller_number',
  'direction',
  'provider',
  'telephony_configuration_id',
  'campaign_id',
  'source_uuid',
  'is_retry',
  'retry_attempt',
  'retry_reason',
  'external_pbx_call',
  'runtime_configuration',
  'initial_context',
]);

function isOfService(name: string): boolean {
  if (serviceKeys.has(name)) return true;
  const time = readTimeName(name);
  return time !== null && (time.zone === null || isZone(time.zone));
}

function takenWarning(name: string, mapping: Mapping): FitWarning[] {
  if (name === mapping.identifier)
    return [
      warning(
        'own_name_of_identifier',
        name,
        `The column ${name} is the identifier, so {{${name}}} stays empty; write {{ext_customer_id}}`,
      ),
    ];
  if (name === mapping.phone)
    return [
      warning(
        'own_name_of_phone',
        name,
        `The column ${name} is the phone number, so {{${name}}} stays empty; write {{phone_number}}`,
      ),
    ];
  return takenColumns(mapping).has(name)
    ? [
        warning(
          'column_taken',
          name,
          `The column ${name} is skipped by the mapping, so {{${name}}} stays empty`,
        ),
      ]
    : [];
}

function warning(code: FitWarning['code'], name: string, message: string): FitWarning {
  return { code, name, message };
}
