import type { Definition } from '../../src/domain/graph/definition.ts';

/**
 * Nodes and a webhook: the start greets, the middle asks and extracts, a side node leads back, the end says
 * goodbye.
 */
export function threeStepDefinition({
  greeting = 'Hello {{name | there}}.',
  extraction = true,
  webhook = true,
}: { greeting?: string | null; extraction?: boolean; webhook?: boolean } = {}): Definition {
  const read = extraction
    ? { extraction_enabled: true, extraction_variables: [{ name: 'day', type: 'string', prompt: 'the day' }] }
    : {};
  return {
    nodes: [
      node('start', 'startCall', { name: 'Start', prompt: 'You are at the start.', greeting }),
      node('ask', 'agentNode', { name: 'Ask', prompt: 'You ask for the day.', ...read }),
      node('more', 'agentNode', { name: 'More', prompt: 'You ask for more.' }),
      node('bye', 'endCall', { name: 'Bye', prompt: 'You say goodbye.' }),
      ...(webhook
        ? [
            node('hook', 'webhook', {
              name: 'Hook',
              endpoint_url: 'https://receiver.test/hook',
              payload_template: { day: '{{gathered_context.day}}' },
            }),
          ]
        : []),
    ],
    edges: [
      edge('e1', 'start', 'ask', 'go on'),
      edge('e2', 'ask', 'bye', 'done'),
      edge('e3', 'ask', 'more', 'extra'),
      edge('e4', 'more', 'ask', 'again'),
    ],
  };
}

export function node(id: string, type: string, data: Record<string, unknown>) {
  return { id, type, position: { x: 0, y: 0 }, data };
}

export function edge(id: string, source: string, target: string, label: string) {
  return { id, source, target, data: { label, condition: `the user says ${label}` } };
}

/**
 * A chain of that many nodes, most with three edges: to the next node, further ahead, and to the end. The
 * start also has an edge far into it.
 */
export function largeDefinition(count: number): Definition {
  const steps = Array.from({ length: count - 2 }, (_, index) => index);
  const middle = Math.floor(count / 2);
  return {
    nodes: [
      node('start', 'startCall', { name: 'Start', prompt: 'You are at the start.', greeting: 'Hello.' }),
      ...steps.map((index) =>
        node(`n${index}`, 'agentNode', {
          name: `Step number ${index}`,
          prompt: `You are at step ${index}. ${'Say something. '.repeat(20)}`,
        }),
      ),
      node('end', 'endCall', { name: 'End', prompt: 'You say goodbye.' }),
    ],
    edges: [
      edge('start-n0', 'start', 'n0', 'begin'),
      edge(`start-n${middle}`, 'start', `n${middle}`, 'far ahead'),
      ...steps
        .slice(0, -2)
        .flatMap((index) => [
          edge(`n${index}-n${index + 1}`, `n${index}`, `n${index + 1}`, 'next step'),
          edge(`n${index}-n${index + 2}`, `n${index}`, `n${index + 2}`, 'skip a step'),
        ]),
      ...steps.map((index) => edge(`n${index}-end`, `n${index}`, 'end', 'finish here')),
    ],
  };
}
