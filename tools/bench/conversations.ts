import { z } from 'zod';
import { demoAgent } from '../demo/agent.ts';

/** The API of the conversations: the service's own, or the baseline's. */
export interface Api {
  url: string;
  key: string;
}

/** One text session. Every method fails on an unexpected answer. */
export interface Conversation {
  callId: number;
  say: (text: string) => Promise<TimedRequest>;
  end: () => Promise<TimedRequest>;
}

export interface TimedRequest {
  /** When the message was sent, in milliseconds since 1970. */
  sentAt: number;
  /** Until the complete answer arrived. */
  wallMs: number;
}

const Agent = z.object({ id: z.int() });
const Session = z.object({ workflow_run_id: z.int(), revision: z.int() });

/**
 * Creates the demonstration's agent, with real prompts and a webhook. The conversation stays at its first
 * node, so nothing is extracted. Nobody judges it: a webhook would wait for the judgment.
 */
export async function createAgent(api: Api, webhookUrl: string): Promise<number> {
  const { workflow_definition: demo, ...settings } = demoAgent({ webhookUrl });
  const { name, template_context_variables, workflow_configurations } = settings;
  // Several scenarios create the agent, and a trigger path belongs to one agent.
  const nodes = demo.nodes
    .filter(({ type }) => type !== 'qa')
    .map((node) => (node.type === 'trigger' ? { ...node, data: { ...node.data, trigger_path: '' } } : node));
  const workflow_definition = { ...demo, nodes };
  const { id } = Agent.parse(
    (await sendJson(api, 'POST', '/workflow/create/definition', { name, workflow_definition })).body,
  );
  await sendJson(api, 'PUT', `/workflow/${id}`, {
    name,
    workflow_definition,
    template_context_variables,
    workflow_configurations,
  });
  return id;
}

export async function openConversation(api: Api, agentId: number): Promise<Conversation> {
  const sessions = `/workflow/${agentId}/text-chat/sessions`;
  const opened = Session.parse((await sendJson(api, 'POST', sessions, {})).body);
  let revision = opened.revision;
  const ask = async (path: string, body: object): Promise<TimedRequest> => {
    const answer = await sendJson(api, 'POST', `${sessions}/${opened.workflow_run_id}/${path}`, {
      ...body,
      expected_revision: revision,
    });
    ({ revision } = Session.parse(answer.body));
    return answer;
  };
  return {
    callId: opened.workflow_run_id,
    say: (text) => ask('messages', { text }),
    end: () => ask('end', {}),
  };
}

export async function sendJson(
  { url, key }: Api,
  method: string,
  path: string,
  body: unknown,
): Promise<TimedRequest & { body: unknown }> {
  const begun = performance.now();
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers,
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(90_000),
  });
  const text = await answer.text();
  const wallMs = performance.now() - begun;
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return { sentAt: performance.timeOrigin + begun, wallMs, body: JSON.parse(text) };
}
