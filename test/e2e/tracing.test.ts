import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { edge, node } from '../support/definitions.ts';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.ts';
import { eventually } from '../support/process.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startWholeService, type WholeService } from '../support/whole-service.ts';

/**
 * One text call with a tool and a webhook, as a receiver of traces sees it. Both roles are separate
 * processes.
 */

const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const said = ['Zanzibar, please.', 'Marmalade it is.', 'Periwinkle', 'Hollyhock'] as const;
const phone = '+14155550123';

const Made = z.object({ id: z.int() });
const Session = z.object({ workflow_run_id: z.int(), revision: z.int() });
const Run = z.object({ gathered_context: z.object({ trace_url: z.string() }) });

let service: WholeService;
let otlp: OtlpReceiver;
let customer: Receiver;
let runId: number;
let run: z.infer<typeof Run>;
let logs: Record<string, unknown>[];

beforeAll(async () => {
  otlp = await startOtlpReceiver();
  customer = await startReceiver();
  service = await startWholeService({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=acme',
      PARLANCE_TRACE_URL: 'https://traces.example.com/trace/{trace_id}',
    },
  });
  const worker = service.startWorker();
  await addRules([
    { name: 'after the tool', when: { toolResult: 'success' }, answer: { say: said[1] } },
    {
      name: 'asks the tool',
      when: { userText: 'Zanzibar' },
      answer: { call: { tool: 'look_up', arguments: { what: said[2] } } },
    },
    { name: 'opens', when: {}, answer: { say: said[3] } },
  ]);
  const { body: tool } = await service.request('POST', '/tools/', {
    name: 'Look up',
    definition: {
      type: 'http_api',
      config: {
        method: 'POST',
        url: `${customer.url}/secret-path?who=${said[2]}`,
        parameters: [{ name: 'what', type: 'string', description: 'What' }],
      },
    },
  });
  const graph = {
    nodes: [
      node('start', 'startCall', {
        name: 'Start',
        prompt: 'Be brief.',
        tool_uuids: [z.object({ tool_uuid: z.string() }).parse(tool).tool_uuid],
      }),
      node('end', 'endCall', { name: 'End', prompt: 'Bye.' }),
      node('hook', 'webhook', {
        name: 'Hook',
        enabled: true,
        http_method: 'POST',
        endpoint_url: `${customer.url}/hook?who=${said[2]}`,
        payload_template: { run: '{{workflow_run_id}}' },
      }),
    ],
    edges: [edge('start-end', 'start', 'end', 'done')],
  };
  const { id } = Made.parse(
    (
      await service.request('POST', '/workflow/create/definition', {
        name: 'Traced',
        workflow_definition: graph,
      })
    ).body,
  );
  const sessions = `/workflow/${id}/text-chat/sessions`;
  const opened = Session.parse(
    (await service.request('POST', sessions, { initial_context: { phone } })).body,
  );
  runId = opened.workflow_run_id;
  const answered = Session.parse(
    (
      await service.request(
        'POST',
        `${sessions}/${runId}/messages`,
        { text: said[0], expected_revision: opened.revision },
        { traceparent: `00-${caller.traceId}-${caller.spanId}-01`, 'X-Request-Id': 'request-of-the-message' },
      )
    ).body,
  );
  await service.request('POST', `${sessions}/${runId}/end`, { expected_revision: answered.revision });
  run = Run.parse((await service.request('GET', `/workflow/${id}/runs/${runId}`)).body);
  await customer.waitForRequests(2);
  await eventually('the attempt was traced', () => otlp.spans.find(({ name }) => name === 'AttemptDelivery'));
  // A stopping process sends its remaining spans.
  await worker.stop();
  await service.api.stop();
  logs = [service.api, worker].flatMap((each) => linesOf(each.output()));
});

afterAll(async () => {
  await service.stop();
  await otlp.close();
  await customer.close();
});

async function addRules(rules: object[]): Promise<void> {
  const added = await fetch(new URL('/emulator/rules', service.llmUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer simulated' },
    body: JSON.stringify({ scope: 'simulated', rules }),
  });
  if (added.status !== 201) throw new Error(`the rules were not taken: ${added.status}`);
}

function linesOf(output: string): Record<string, unknown>[] {
  const Line = z.record(z.string(), z.unknown());
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => Line.parse(JSON.parse(line)));
}

const parentOf = (span: ReceivedSpan) =>
  otlp.spans.find(({ traceId, spanId }) => traceId === span.traceId && spanId === span.parentSpanId);

/** Names from the span up to the root of its trace. */
function lineage(span: ReceivedSpan): string[] {
  const parent = parentOf(span);
  return [span.name, ...(parent === undefined ? [] : lineage(parent))];
}

function only(name: string, of: (span: ReceivedSpan) => boolean = () => true): ReceivedSpan {
  const found = otlp.spans.filter((span) => span.name === name && of(span));
  const [span] = found;
  if (span === undefined || found.length > 1)
    throw new Error(
      `${found.length} spans are called ${name} there; all: ${[...new Set(otlp.spans.map((each) => each.name))].join(', ')}`,
    );
  return span;
}

const messagePath = '/workflow/{workflow_id}/text-chat/sessions/{run_id}/messages';

describe('the trace of a message', () => {
  test('spans the caller, API, Update and activities down to the model and the tool', () => {
    const update = ['HandleUpdate:sendMessage', 'StartWorkflowUpdate:sendMessage', `POST ${messagePath}`];
    const ofMessage = otlp.spans.filter(({ traceId }) => traceId === caller.traceId);
    const lineages = ofMessage.map(lineage);
    expect(lineages).toContainEqual(['chat gpt-4.1-mini', 'RunActivity:converse', ...update]);
    expect(lineages).toContainEqual(['POST', 'RunActivity:runTool', ...update]);
    expect(only(`POST ${messagePath}`).parentSpanId).toBe(caller.spanId);
    // Every span except the caller's has its parent in this trace.
    expect(ofMessage.filter((span) => parentOf(span) === undefined).map(({ name }) => name)).toEqual([
      `POST ${messagePath}`,
    ]);
  });

  test('names the call in both processes, without reading its content', () => {
    expect(only(`POST ${messagePath}`)).toMatchObject({
      service: 'parlance-api',
      kind: 2,
      attributes: {
        'parlance.request_id': 'request-of-the-message',
        'http.route': messagePath,
        'http.response.status_code': 200,
        'parlance.organization_id': expect.any(Number),
      },
    });
    expect(only('HandleUpdate:sendMessage')).toMatchObject({
      service: 'parlance-worker',
      attributes: {
        temporalWorkflowId: expect.stringMatching(/^call\//),
        'parlance.call_id': runId,
        'parlance.agent_version': 1,
      },
    });
    const [first] = otlp.spans.filter(
      ({ name, traceId }) => name === 'RunActivity:converse' && traceId === caller.traceId,
    );
    expect(first?.attributes).toMatchObject({
      'parlance.call_id': runId,
      'parlance.node_id': 'start',
      'parlance.turn': 1,
      temporalAttempt: 1,
    });
  });

  test("has the model's name, tokens and times, and the customer's host", () => {
    const [model] = otlp.spans.filter(
      ({ name, traceId }) => name.startsWith('chat ') && traceId === caller.traceId,
    );
    expect(model).toMatchObject({
      kind: 3,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4.1-mini',
        'gen_ai.usage.input_tokens': expect.any(Number),
        'gen_ai.usage.output_tokens': expect.any(Number),
        'gen_ai.response.time_to_first_chunk': expect.any(Number),
      },
    });
    expect(only('POST', ({ traceId }) => traceId === caller.traceId).attributes).toEqual({
      'http.request.method': 'POST',
      'server.address': '127.0.0.1',
      'http.response.status_code': 200,
    });
  });

  test("continues at the customer's server", () => {
    const tool = customer.requests.find(({ path }) => path.startsWith('/secret-path'));
    expect(tool?.headers['traceparent']).toBe(
      `00-${caller.traceId}-${only('POST', ({ traceId }) => traceId === caller.traceId).spanId}-01`,
    );
  });

  test('links to the trace in which the call began', () => {
    const began = only('UpdateWithStartWorkflow:openSession');
    const here = otlp.spans.filter(
      ({ name, traceId }) => traceId === caller.traceId && /^(HandleUpdate|RunActivity):/.test(name),
    );
    for (const span of here)
      expect(span.links).toEqual([expect.objectContaining({ traceId: began.traceId, spanId: began.spanId })]);
    expect(here.length).toBeGreaterThan(3);
  });
});

describe('the trace in which a call began', () => {
  test('shows its beginning, its end and its webhook', () => {
    const { traceId } = only('UpdateWithStartWorkflow:openSession');
    const lineages = otlp.spans.filter((span) => span.traceId === traceId).map(lineage);
    const opening = [
      'UpdateWithStartWorkflow:openSession',
      'POST /workflow/{workflow_id}/text-chat/sessions',
    ];
    expect(lineages).toContainEqual([
      'chat gpt-4.1-mini',
      'RunActivity:converse',
      'HandleUpdate:openSession',
      ...opening,
    ]);
    for (const activity of ['admitCall', 'finalizeCall'])
      expect(lineages).toContainEqual([`RunActivity:${activity}`, ...opening]);
    expect(lineages).toContainEqual(['POST', 'AttemptDelivery', 'RunActivity:finalizeCall', ...opening]);
  });

  test("is the target of the call's trace_url", () => {
    expect(run.gathered_context.trace_url).toBe(
      `https://traces.example.com/trace/${only('UpdateWithStartWorkflow:openSession').traceId}`,
    );
  });
});

describe('traces', () => {
  test('contain no word of the conversation, no phone number, no path and no query of a customer', () => {
    const everything = otlp.bodies.join('\n');
    for (const each of [...said, 'Zanzibar', phone, phone.slice(1), 'secret-path', 'hook?', 'Be brief'])
      expect({ each, isThere: everything.includes(each) }).toEqual({ each, isThere: false });
    expect(otlp.spans.length).toBeGreaterThan(20);
  });

  test('come with the headers of OTEL_EXPORTER_OTLP_HEADERS', () => {
    for (const headers of otlp.headers) expect(headers['x-tenant']).toBe('acme');
  });

  test('appear in the log lines of traced work', () => {
    const line = logs.find(
      ({ requestId, msg }) => requestId === 'request-of-the-message' && msg === 'Request answered',
    );
    expect(line).toMatchObject({ trace_id: caller.traceId, span_id: only(`POST ${messagePath}`).spanId });
    expect(logs.find(({ msg }) => msg === 'The API listens')).not.toHaveProperty('trace_id');
  });
});
