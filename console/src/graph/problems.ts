import type { Tool } from '../../../src/contract/tools.ts';
import { describeNode } from '../../../src/domain/graph/describe.ts';
import type { Finding } from '../../../src/domain/graph/findings.ts';
import { graphTools } from '../../../src/domain/graph/graph-tools.ts';
import { inspectDefinition } from '../../../src/domain/graph/inspect.ts';
import type { Surroundings } from '../../../src/domain/graph/validate.ts';
import { definitionOf, type Draft, labelOf, testValuesOf } from './draft.ts';

export type { Surroundings };

/**
 * What the rules know of the organization's tools; calls offer active ones alone. Who may not see phone numbers
 * does not see either which destinations a transfer allows, so that this is left to the server. What
 * files of campaigns tell is that of `filesOf`.
 */
export function surroundingsOf(
  tools: readonly Tool[],
  { hasNumbers, ...files }: { hasNumbers: boolean } & Pick<Surroundings, 'renamedColumns' | 'hasCampaigns'>,
): Surroundings {
  const active = tools.filter(({ status }) => status === 'active');
  const { toolNames, unboundTransfers, optOutTools } = graphTools(
    active.map(({ tool_uuid: uuid, name, category, definition }) => ({ uuid, name, category, definition })),
  );
  return {
    toolNames,
    optOutTools,
    ...(hasNumbers ? { unboundTransfers } : {}),
    ...files,
  };
}

/** What is wrong with a draft, and where. */
export interface Problem extends Pick<Finding, 'severity' | 'code' | 'values' | 'fix'> {
  of: 'node' | 'edge' | 'agent';
  id: string | null;
  /** The field of the node's or transition's data; null for the whole. */
  field: string | null;
  /** The server's words, without the name of the node or transition, which stands beside it. */
  message: string;
}

/** All problems by the server's own rules: errors, which block publishing, then warnings. */
export function problemsOf(draft: Draft, known: Surroundings = {}): Problem[] {
  const names = namesIn(draft);
  return inspectDefinition(definitionOf(draft), { ...known, testValues: testValuesOf(draft) }).map(
    ({ kind, id, field, message, severity, code, values, fix }) => ({
      severity,
      code,
      of: kind === 'workflow' ? 'agent' : kind,
      id,
      field: field?.replace(/^data\./, '') ?? null,
      message: withoutName(message, names.get(`${kind} ${id}`) ?? null),
      ...(values === undefined ? {} : { values }),
      ...(fix === undefined ? {} : { fix }),
    }),
  );
}

/** How messages name each node and transition. */
function namesIn({ nodes, edges }: Draft): ReadonlyMap<string, string> {
  return new Map([
    ...edges.map((edge) => [`edge ${edge.id}`, labelOf(edge) || `Edge ${edge.id}`] as const),
    ...nodes.map((node) => [`node ${node.id}`, describeNode(node)] as const),
  ]);
}

/** A message begins with the name of its node or transition. */
export function withoutName(message: string, name: string | null): string {
  const rest = name !== null && message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message;
  return asSentence(rest);
}

/** With a capital letter, also when it begins with the name of a field. */
export const asSentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** What the rules say of a field and of what is inside it. */
export const problemsAt = (problems: readonly Problem[], field: string): Problem[] =>
  problems.filter((each) => each.field === field || each.field?.startsWith(`${field}.`) === true);

/** Each fact once, for lists and counts: a value that two fields of a node name is found at both. */
export const distinct = (problems: readonly Problem[]): Problem[] =>
  [
    ...new Map(problems.toReversed().map((each) => [`${each.of} ${each.id} ${each.message}`, each])).values(),
  ].toReversed();
