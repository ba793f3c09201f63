import { isObject } from '../../../src/domain/graph/definition.ts';
import {
  promptVariables,
  renderPayload,
  renderSystemPrompt,
  type Rendering,
} from '../../../src/domain/rendering/render.ts';
import { demoAgent, type DemoNode } from '../../demo/agent.ts';
import { figure, type Section } from '../report.ts';
import type { ScenarioOptions } from '../scenario.ts';
import { quantile } from '../statistics.ts';

const { workflow_definition: definition, template_context_variables: values } = demoAgent({
  webhookUrl: 'https://receiver.test/hook',
});
const globalPrompt = textIn('global', 'prompt');
const nodePrompt = textIn('welcome', 'prompt');
const payload = nodeOf('result').data['payload_template'];
const now = new Date('2026-11-21T15:04:05Z');
const prompts: Rendering = { variables: promptVariables(values), now };
const payloads: Rendering = {
  variables: {
    ...values,
    initial_context: values,
    gathered_context: { confirmed: true, preferred_time: 'Thursday at 3 PM', party_size: 2 },
    cost_info: { call_duration_seconds: 73 },
    workflow_run_id: 42,
    workflow_run_name: 'WR-42',
    call_time: now.toISOString(),
    transcript_url: 'https://example.test/t',
  },
  now,
};

/** Measures how fast texts are rendered, compared with a plain replacement by one regular expression. */
export async function measureTemplates({ isQuick, print }: ScenarioOptions): Promise<Section> {
  print('templates: prompts and payloads');
  const sampleMs = isQuick ? 20 : 200;
  const known = flat(payloads.variables);
  const times: Record<string, string> = {
    'current_weekday_America/New_York': 'Saturday',
    'current_time_America/New_York': '10:04 AM',
  };
  const payloadText = JSON.stringify(payload);
  const rates = {
    prompt: renders(sampleMs, () => renderSystemPrompt({ ...prompts, globalPrompt, nodePrompt }).length),
    promptPlain: renders(
      sampleMs,
      () => replaced(`${globalPrompt}\n\n${nodePrompt}`, { ...known, ...times }).length,
    ),
    payload: renders(sampleMs, () => JSON.stringify(renderPayload(payload, payloads)).length),
    payloadPlain: renders(sampleMs, () => JSON.stringify(JSON.parse(replaced(payloadText, known))).length),
  };
  return section(rates);
}

function textIn(nodeId: string, field: string): string {
  const text = nodeOf(nodeId).data[field];
  if (typeof text !== 'string')
    throw new Error(`The demonstration's agent has no text ${field} at ${nodeId}`);
  return text;
}

function nodeOf(nodeId: string): DemoNode {
  const node = definition.nodes.find(({ id }) => id === nodeId);
  if (node === undefined) throw new Error(`The demonstration's agent has no node ${nodeId}`);
  return node;
}

/** The baseline's variables: texts by dotted names, found by a single lookup. */
function flat(variables: object, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]: [string, unknown]) =>
      isObject(value)
        ? Object.entries(flat(value, `${prefix}${name}.`))
        : [[`${prefix}${name}`, String(value)]],
    ),
  );
}

function replaced(text: string, known: Record<string, string>): string {
  return text.replaceAll(
    /\{\{\s*([^}|]+?)\s*(?:\|\s*([^}]*?)\s*)?\}\}/g,
    (_whole, name: string, fallback?: string) => known[name] ?? fallback ?? '',
  );
}

/**
 * Renders a second: the median of nine samples after a warm-up. `once` answers a number, so that the
 * optimizer cannot remove its work.
 */
function renders(sampleMs: number, once: () => number): number {
  let length = 0;
  const samples = Array.from({ length: 10 }, () => {
    const begun = performance.now();
    let count = 0;
    while (performance.now() - begun < sampleMs) {
      for (let inner = 0; inner < 50; inner += 1) length += once();
      count += 50;
    }
    return (count * 1000) / (performance.now() - begun);
  });
  if (length === 0) throw new Error('Nothing was rendered');
  return quantile(samples.slice(1), 0.5);
}

function section(rates: {
  prompt: number;
  promptPlain: number;
  payload: number;
  payloadPlain: number;
}): Section {
  const row = (name: string, rate: number, plain: number) => [
    name,
    figure(rate),
    figure(1_000_000 / rate),
    figure(plain),
    `${figure(plain / rate)} ×`,
  ];
  return {
    id: 'templates',
    title: 'Templates',
    method: [
      "The prompts and the payload of the demonstration's agent: global prompt and node prompt of together about 1,000 characters with five variables, a default and two time variables with a zone; a payload of two levels with eleven placeholders, serialized as JSON. One thread in the benchmark's own process; the median of nine samples.",
      'The baseline is one `replaceAll` with a regular expression over a flat table of known texts, where the time is a known text, too. For the payload it works on the JSON, which is parsed and serialized again. It supports no zones, no nested names and no types, and a value with a quotation mark would break it.',
    ],
    tables: [
      {
        columns: ['', 'Renders a second', 'µs each', 'Baseline a second', 'Cost, against the baseline'],
        rows: [
          row('System prompt', rates.prompt, rates.promptPlain),
          row('Webhook payload', rates.payload, rates.payloadPlain),
        ],
      },
    ],
    targets: [],
  };
}
