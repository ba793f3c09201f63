/**
 * The demonstration, through the public API only. It creates, changes and publishes an agent; runs a text
 * conversation through Temporal; and receives the signed webhook on this machine. Fails if a part of it
 * fails. Needs PARLANCE_API_URL and PARLANCE_API_KEY; TEMPORAL_UI_URL and PARLANCE_SIMULATED only change the
 * output.
 */
import { parseArgs, styleText } from 'node:util';
import { z } from 'zod';
import { demoAgent, type DemoAgent } from './agent.ts';
import { startReceiver } from './receiver.ts';
import { callByPhone } from './phone-call.ts';
import { callersLines } from './script.ts';
import { call, detail, env, heading, indented, temporalUiLink } from './environment.ts';

const Agent = z.object({
  id: z.int(),
  name: z.string(),
  version_number: z.int(),
  version_status: z.string(),
});
const Secrets = z.array(z.object({ secret: z.string() }));
const Session = z.object({
  workflow_run_id: z.int(),
  revision: z.int(),
  is_completed: z.boolean(),
  session_data: z.object({
    turns: z.array(z.object({ assistant_message: z.object({ text: z.string() }).nullable() })),
  }),
});
const Run = z.object({
  temporal_workflow_id: z.string(),
  gathered_context: z.record(z.string(), z.unknown()),
  disposition: z.string().nullable(),
  transcript_public_url: z.string().nullable(),
  annotations: z.looseObject({
    qa_quality: z
      .looseObject({
        score: z.number().nullish(),
        simulated: z.boolean().optional(),
        error: z.string().optional(),
      })
      .optional(),
  }),
});

const { values: flags } = parseArgs({ options: { 'pause-ms': { type: 'string', default: '0' } } });
const pauseMs = Number(flags['pause-ms']);

heading(
  env.PARLANCE_SIMULATED === 'true'
    ? 'Demonstration (the language model is simulated: set OPENAI_API_KEY for a real one)'
    : 'Demonstration',
);
const secrets = await call(Secrets, 'GET', '/organizations/webhook-secrets');
const receiverPort = env.PARLANCE_DEMO_RECEIVER_PORT;
const receiver =
  receiverPort === 'none'
    ? null
    : await startReceiver(
        secrets.map(({ secret }) => secret),
        receiverPort,
      );
try {
  const agent = await prepareAgent(receiver?.url ?? null);
  const runId = await converse(agent.id);
  await showWebhook();
  await report(agent.id, runId);
  if (env.PARLANCE_SIMULATED_CARRIER_URL !== undefined) {
    await callByPhone({ agentId: agent.id, carrierUrl: env.PARLANCE_SIMULATED_CARRIER_URL });
    await showWebhook();
  }
} finally {
  await receiver?.close();
}

async function prepareAgent(webhookUrl: string | null): Promise<z.infer<typeof Agent>> {
  const definition = demoAgent({ webhookUrl });
  heading('An agent over HTTP');
  const known = (
    await call(z.array(z.object({ id: z.int(), name: z.string() })), 'GET', '/workflow/fetch?status=active')
  ).find(({ name }) => name === definition.name);
  const created =
    known === undefined ? await create(definition) : await call(Agent, 'GET', `/workflow/fetch/${known.id}`);
  const changed = await call(Agent, 'PUT', `/workflow/${created.id}`, definition);
  detail(
    `changed   version ${changed.version_number} ${changed.version_status}: test values and settings added`,
  );
  const published = await call(
    z.object({ version_number: z.int(), status: z.string() }),
    'POST',
    `/workflow/${created.id}/publish`,
  );
  detail(`published version ${published.version_number}`);
  return changed;
}

/** The first demonstration creates the agent; later ones change it, because its trigger path is in use. */
async function create({ name, workflow_definition }: DemoAgent): Promise<z.infer<typeof Agent>> {
  const created = await call(Agent, 'POST', '/workflow/create/definition', { name, workflow_definition });
  detail(
    `created   «${created.name}», id ${created.id}, version ${created.version_number} ${created.version_status}`,
  );
  return created;
}

async function showWebhook(): Promise<void> {
  if (receiver === null) {
    heading('No webhook: organizations may not reach this machine (PARLANCE_ALLOWED_PRIVATE_HOSTS)');
    return;
  }
  const delivery = await receiver.next(60_000);
  heading('The webhook, received on this machine');
  detail(`signature ${delivery.signed ? 'verified' : 'NOT VERIFIED'} · webhook-id ${delivery.id}`);
  console.log(indented(JSON.stringify(delivery.payload, null, 2)));
  if (!delivery.signed) throw new Error('the webhook was not signed with a secret of this organization');
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
    session = await call(Session, 'POST', `${sessions}/${session.workflow_run_id}/messages`, {
      text: line,
      expected_revision: session.revision,
    });
    sayAgent(session);
  }
  if (!session.is_completed)
    await call(Session, 'POST', `${sessions}/${session.workflow_run_id}/end`, {
      expected_revision: session.revision,
    });
  return session.workflow_run_id;
}

function sayAgent(session: z.infer<typeof Session>): void {
  detail(
    `${styleText('green', 'agent')}   ${session.session_data.turns.at(-1)?.assistant_message?.text ?? ''}`,
  );
}

async function report(agentId: number, runId: number): Promise<void> {
  const run = await call(Run, 'GET', `/workflow/${agentId}/runs/${runId}`);
  heading('Gathered variables');
  detail(`disposition ${run.disposition}`);
  console.log(indented(JSON.stringify(run.gathered_context, null, 2)));
  const { score, simulated = false, error } = run.annotations.qa_quality ?? {};
  detail(
    `quality     ${score ?? error ?? 'not judged'}${typeof score === 'number' ? ' of 10, judged by the language model' : ''}${simulated ? ' (simulated)' : ''}`,
  );
  if (run.transcript_public_url !== null) detail(`transcript  ${run.transcript_public_url}`);
  const link = temporalUiLink(run.temporal_workflow_id);
  if (link !== null) detail(`Temporal UI ${link}`);
}
