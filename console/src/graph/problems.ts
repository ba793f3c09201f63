import type { Tool } from '../../../src/contract/tools.ts';
import { describeNode } from '../../../src/domain/graph/describe.ts';
import type { Finding } from '../../../src/domain/graph/findings.ts';
import { graphTools } from '../../../src/domain/graph/graph-tools.ts';
import { inspectDefinition } from '../../../src/domain/graph/inspect.ts';
import type { Surroundings } from '../../../src/domain/graph/validate.ts';
import { definitionOf, type Draft, labelOf } from './draft.ts';

export type { Surroundings };

/**
 * What the rules know of the organization's tools; calls offer active ones alone. Who may not see phone numbers
 * does not see either which destinations a transfer allows, so that this is left to the server.
 */
export function surroundingsOf(
  tools: readonly Tool[],
  { hasNumbers }: { hasNumbers: boolean },
): Surroundings {
  const active = tools.filter(({ status }) => status === 'active');
  const { toolNames, unboundTransfers } = graphTools(
    active.map(({ tool_uuid: uuid, name, category, definition }) => ({ uuid, name, category, definition })),
  );
  return hasNumbers ? { toolNames, unboundTransfers } : { toolNames };
}

/** What is wrong with a draft, and where. */
export interface Problem extends Pick<Finding, 'severity' | 'code' | 'fix'> {
  of: 'node' | 'edge' | 'agent';
  id: string | null;
  /** The field of the node's or transition's data; null for the whole. */
  field: string | null;
  /** Without the name of the node or transition, which stands beside it. */
  message: string;
}

/** All problems by the server's own rules: errors, which block publishing, then warnings. */
export function problemsOf(draft: Draft, tools: Surroundings = {}): Problem[] {
  const testValues = Object.keys(draft.values).length === 0 ? null : draft.values;
  return inspectDefinition(definitionOf(draft), { ...tools, testValues }).map(
    ({ kind, id, field, message, severity, code, fix }) => ({
      severity,
      code,
      of: kind === 'workflow' ? 'agent' : kind,
      id,
      field: field?.replace(/^data\./, '') ?? null,
      message: withoutName(message, nameIn(draft, kind, id)),
      ...(fix === undefined ? {} : { fix }),
    }),
  );
}

function nameIn({ nodes, edges }: Draft, kind: string, id: string | null): string | null {
  const node = kind === 'node' ? nodes.find((each) => each.id === id) : undefined;
  if (node !== undefined) return describeNode(node);
  const edge = kind === 'edge' ? edges.find((each) => each.id === id) : undefined;
  return edge === undefined ? null : labelOf(edge) || `Edge ${edge.id}`;
}

/** A message begins with the name of its node or transition. */
export function withoutName(message: string, name: string | null): string {
  const rest = name !== null && message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** The first fault of a field, in words. */
export function errorOf(problems: readonly Problem[], field: string): string | undefined {
  const found = problems.find(
    (each) =>
      each.severity === 'error' && (each.field === field || each.field?.startsWith(`${field}.`) === true),
  );
  return found?.message;
}
