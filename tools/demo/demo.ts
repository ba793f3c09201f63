/**
 * The demonstration, by the public API only: an agent is created, changed and published; a text conversation of several
 * nodes runs through Temporal; a receiver on this machine gets the signed webhook. Fails when any of it does not happen.
 * Needs PARLANCE_API_URL and PARLANCE_API_KEY; TEMPORAL_UI_URL and PARLANCE_SIMULATED only change what is printed.
 */
import { parseArgs, styleText } from 'node:util';
import { z } from 'zod';
import { demoAgent } from './agent.ts';
import { startReceiver } from './receiver.ts';
import { callersLines } from './script.ts';

const Surroundings = z.object({
  PARLANCE_API_URL: z.url(),
  PARLANCE_API_KEY: z.string().min(1),
  TEMPORAL_UI_URL: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().default('parlance'),
  PARLANCE_SIMULATED: z.string().optional(),
});
const Agent = z.object({ id: z.int(), name: z.string(), version_number: z.int(), version_status: z.string() });
const Secrets = z.array(z.object({ secret: z.string() }));
const Session = z.object({
  workflow_run_id: z.int(),
  revision: z.int(),
  is_completed: z.boolean(),
  session_data: z.object({ turns: z.array(z.object({ assistant_message: z.object({ text: z.string() }).nullable() })) }),
});
const Run = z.object({ temporal_workflow_id: z.string(), gathered_context: z.record(z.string(), z.unknown()), disposition: z.string().nullable(), transcript_public_url: z.string().nullable(), annotations: z.looseObject({ qa_quality: z.looseObject({ score: z.number().nullish(), simulated: z.boolean().optional(), error: z.string().optional() }).optional() }) });

const env = Surroundings.parse(process.env);
const { values: flags } = parseArgs({ options: { 'pause-ms': { type: 'string', default: '0' } } });
const pauseMs = Number(flags['pause-ms']);

const heading = (text: string) => console.log(`\n${styleText('bold', text)}`);
const detail = (text: string) => console.log(`  ${text}`);

async function call<T>(schema: z.ZodType<T>, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${env.PARLANCE_API_URL}/api/v1${path}`, {
    method,
    headers: { 'X-API-Key': env.PARLANCE_API_KEY, 'Content-Type': 'application/json' },
    signal: AbortSignal.timeout(90_000),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return schema.parse(JSON.parse(text));
}

heading(env.PARLANCE_SIMULATED === 'true' ? 'Demonstration (the language model is simulated: set OPENAI_API_KEY for a real one)' : 'Demonstration');
const secrets = await call(Secrets, 'GET', '/organizations/webhook-secrets');
const receiver = await startReceiver(secrets.map(({ secret }) => secret));
try {
  const agent = await prepareAgent(receiver.url);
  const runId = await converse(agent.id);
  const delivery = await receiver.next(30_000);
  heading('The webhook that a receiver on this machine got');
  detail(`signature ${delivery.signed ? 'verified' : 'NOT VERIFIED'} · webhook-id ${delivery.id}`);
  console.log(indent(JSON.stringify(delivery.payload, null, 2)));
  if (!delivery.signed) throw new Error('the webhook was not signed with a secret of this organization');
  await report(agent.id, runId);
} finally {
  await receiver.close();
}

async function prepareAgent(webhookUrl: string): Promise<z.infer<typeof Agent>> {
  const definition = demoAgent({ webhookUrl });
  heading('An agent over HTTP');
  const created = await call(Agent, 'POST', '/workflow/create/definition', { name: definition.name, workflow_definition: definition.workflow_definition });
  detail(`created   «${created.name}», id ${created.id}, version ${created.version_number} ${created.version_status}`);
  const changed = await call(Agent, 'PUT', `/workflow/${created.id}`, definition);
  detail(`changed   version ${changed.version_number} ${changed.version_status}: test values and settings added`);
  const published = await call(z.object({ version_number: z.int(), status: z.string() }), 'POST', `/workflow/${created.id}/publish`);
  detail(`published version ${published.version_number}`);
  return changed;
}

async function converse(agentId: number): Promise<number> {
  heading('A conversation: one durable Temporal Workflow');
  const sessions = `/workflow/${agentId}/text-chat/sessions`;
  let session = await call(Session, 'POST', sessions, {});
  sayAgent(session);
  for (const line of callersLines) {
    if (session.is_completed) break;
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    detail(`${styleText('cyan', 'caller')}  ${line}`);
    session = await call(Session, 'POST', `${sessions}/${session.workflow_run_id}/messages`, { text: line, expected_revision: session.revision });
    sayAgent(session);
  }
  if (!session.is_completed) await call(Session, 'POST', `${sessions}/${session.workflow_run_id}/end`, { expected_revision: session.revision });
  return session.workflow_run_id;
}

function sayAgent(session: z.infer<typeof Session>): void {
  detail(`${styleText('green', 'agent')}   ${session.session_data.turns.at(-1)?.assistant_message?.text ?? ''}`);
}

async function report(agentId: number, runId: number): Promise<void> {
  const run = await call(Run, 'GET', `/workflow/${agentId}/runs/${runId}`);
  heading('What is known now');
  detail(`disposition ${run.disposition}`);
  console.log(indent(JSON.stringify(run.gathered_context, null, 2)));
  const { score, simulated = false, error } = run.annotations.qa_quality ?? {};
  detail(`quality     ${score ?? error ?? 'not judged'}${typeof score === 'number' ? ' of 10, judged by the language model' : ''}${simulated ? ' (simulated)' : ''}`);
  if (run.transcript_public_url !== null) detail(`transcript  ${run.transcript_public_url}`);
  if (env.TEMPORAL_UI_URL !== undefined) detail(`Temporal UI ${env.TEMPORAL_UI_URL}/namespaces/${env.TEMPORAL_NAMESPACE}/workflows/${encodeURIComponent(run.temporal_workflow_id)}`);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
