import { parseTemplate } from '../../../../src/domain/template/parse.ts';
import { lookUp, textOf, type Variables } from '../../../../src/domain/template/variables.ts';
import type { Visit } from '../../live/call-view.ts';

/** What a template will do, read from its graph for a person who does not know the product yet. */

interface TemplateNode {
  id: string;
  type: string;
  data: {
    name?: string;
    extraction_variables?: { name: string; type: string }[];
    payload_template?: unknown;
    endpoint_url?: string;
    http_method?: string;
  };
}

export interface Plan {
  /** Nodes that talk, in the order of the graph. */
  nodes: readonly { id: string; name: string }[];
  /** Values that the nodes ask for, each once, with the node that asks first. */
  values: readonly { name: string; type: string; nodeId: string }[];
  webhook: { method: string; url: string; template: unknown } | null;
}

/** The node of the end that every template's ends share: it is read from the outcome instead. */
const outcome = 'call_disposition';

export function planOf(graph: Record<string, unknown>): Plan {
  const all = (graph['nodes'] ?? []) as TemplateNode[];
  const nodes = all.filter(({ type }) => type === 'startCall' || type === 'agentNode');
  const values = nodes.flatMap(({ id, data }) =>
    (data.extraction_variables ?? []).map(({ name, type }) => ({ name, type, nodeId: id })),
  );
  const webhook = all.find(({ type }) => type === 'webhook')?.data;
  return {
    nodes: nodes.map(({ id, data }) => ({ id, name: data.name ?? id })),
    values: values.filter(
      ({ name }, index) => name !== outcome && values.findIndex((each) => each.name === name) === index,
    ),
    webhook:
      webhook?.payload_template === undefined
        ? null
        : {
            method: webhook.http_method ?? 'POST',
            url: webhook.endpoint_url ?? '',
            template: webhook.payload_template,
          },
  };
}

export interface Stop {
  id: string;
  name: string;
  is: 'seen' | 'now' | 'later';
  atMs: number | null;
}

/** The nodes as they are shown: those of the plan, then those that only this call reached, such as its end. */
export function stopsOf(plan: Plan, path: readonly Visit[], isEnded: boolean): readonly Stop[] {
  const present = path.at(-1)?.nodeId;
  const others = path.filter(
    ({ nodeId }, index) =>
      !plan.nodes.some(({ id }) => id === nodeId) &&
      path.findIndex((each) => each.nodeId === nodeId) === index,
  );
  return [...plan.nodes, ...others.map(({ nodeId, name }) => ({ id: nodeId, name }))].map(({ id, name }) => {
    const first = path.find(({ nodeId }) => nodeId === id);
    const is = first === undefined ? 'later' : id === present && !isEnded ? 'now' : 'seen';
    return { id, name, is, atMs: first?.atMs ?? null };
  });
}

/** A piece of the webhook's body: `open` is not known before the call has ended, `found` was learned in it. */
export interface BodyPart {
  is: 'plain' | 'key' | 'given' | 'found' | 'open';
  text: string;
}

/**
 * The body of the webhook as JSON with what is known by now. `openWords` stands for what is not. Rendered as
 * the service does (contract 7.2), except for times, which templates of payloads do not name.
 */
export function bodyParts(
  template: unknown,
  { variables, isEnded, openWords }: { variables: Variables; isEnded: boolean; openWords: string },
): readonly BodyPart[] {
  const parts: BodyPart[] = [];
  const add = (is: BodyPart['is'], text: string) => parts.push({ is, text });
  function leaf(value: unknown): void {
    if (typeof value !== 'string') return void add('plain', JSON.stringify(value) ?? 'null');
    const segments = parseTemplate(value);
    const texts = segments.map((segment) =>
      segment.kind === 'text'
        ? segment.text
        : textOf(lookUp(variables, segment.name)) || (isEnded ? (segment.defaultText ?? '') : null),
    );
    if (texts.includes(null)) return void add('open', openWords);
    const isFound = segments.some(
      (segment) => segment.kind === 'placeholder' && segment.name.startsWith('gathered_context.'),
    );
    const text = texts.join('');
    add(isFound && text !== '' ? 'found' : 'given', JSON.stringify(text));
  }
  function walk(value: unknown, indent: string): void {
    if (typeof value !== 'object' || value === null) return leaf(value);
    const [before, after] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
    const entries = Object.entries(value);
    add('plain', `${before}\n`);
    for (const [index, [key, each]] of entries.entries()) {
      add('plain', `${indent}  `);
      if (!Array.isArray(value)) {
        add('key', JSON.stringify(key));
        add('plain', ': ');
      }
      walk(each, `${indent}  `);
      add('plain', index === entries.length - 1 ? '\n' : ',\n');
    }
    add('plain', `${indent}${after}`);
  }
  walk(template, '');
  return parts;
}

/** Replies that have not been said at this visit of the node, in order; said in order they lead to an end. */
export const repliesOf = (
  samples: Readonly<Record<string, readonly string[]>>,
  nodeId: string | undefined,
  saidHere: readonly string[],
): readonly string[] =>
  nodeId === undefined ? [] : (samples[nodeId] ?? []).filter((each) => !saidHere.includes(each));
