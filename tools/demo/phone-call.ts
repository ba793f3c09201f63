import { styleText } from 'node:util';
import { z } from 'zod';
import { demoTriggerPath } from './agent.ts';
import { call, detail, env, heading, temporalUiLink } from './environment.ts';

/** The number to call; emulators/carrier/shipped-personas.ts defines who answers it. */
const phoneNumber = '12025550142';
const ownNumber = '+12025550100';
/** Each concurrent call of a campaign shows another number (docs/campaigns.md). */
const moreNumbers = ['+12025550190', '+12025550191', '+12025550192', '+12025550193'];
const connectionName = 'Simulated carrier';

const Triggered = z.object({
  workflow_run_id: z.int(),
  workflow_run_name: z.string(),
  temporal_workflow_id: z.string(),
});
const Heard = z.object({
  entries: z.array(z.looseObject({ n: z.int(), type: z.string(), text: z.string().optional() })),
});
const Run = z.object({
  is_completed: z.boolean(),
  disposition: z.string().nullable(),
  gathered_context: z.record(z.string(), z.unknown()),
  transcript_public_url: z.string().nullable(),
  recording_public_url: z.string().nullable(),
});
type Run = z.infer<typeof Run>;

/**
 * A phone call from the trigger to the hang-up. The carrier, the callee and all voices are simulated; the
 * service is real.
 */
export async function callByPhone({
  agentId,
  carrierUrl,
}: {
  agentId: number;
  carrierUrl: string;
}): Promise<void> {
  heading('A phone call (the carrier, the callee and all voices are simulated)');
  await connectCarrier(carrierUrl);
  const body = {
    phone_number: phoneNumber,
    initial_context: {
      first_name: 'Maria',
      appointment_day: 'Tuesday, 24 November',
      appointment_time: '10:00 AM',
      dentist: 'Dr. Chen',
      patient_id: 'P-1042',
    },
  };
  detail(
    styleText(
      'dim',
      `POST ${env.PARLANCE_API_URL}/api/v1/public/agent/${demoTriggerPath} ${JSON.stringify({ phone_number: phoneNumber, initial_context: '…' })}`,
    ),
  );
  const before = (await heardAfter(carrierUrl, 0)).at(-1)?.n ?? 0;
  const {
    workflow_run_id: runId,
    workflow_run_name: name,
    temporal_workflow_id: workflowId,
  } = await call(Triggered, 'POST', `/public/agent/${demoTriggerPath}`, body);
  detail(`${name} rings; the conversation takes about a minute`);
  const run = await follow({ agentId, runId, carrierUrl, before });
  detail(`disposition ${run.disposition}`);
  detail(`learned     ${JSON.stringify(run.gathered_context['extracted_variables'] ?? {})}`);
  if (run.transcript_public_url !== null) detail(`transcript  ${run.transcript_public_url}`);
  const recording = run.recording_public_url ?? (await recordingOf(agentId, runId));
  if (recording !== null) detail(`recording   ${recording} (simulated voices sound like a modem)`);
  const link = temporalUiLink(workflowId);
  if (link !== null) detail(`Temporal UI ${link}`);
  if (run.disposition !== 'user_qualified') throw new Error(`the call ended with ${run.disposition}`);
}

/** The organization's connection to the simulated carrier, with its numbers; created once. */
async function connectCarrier(carrierUrl: string): Promise<void> {
  const { configurations } = await call(
    z.object({ configurations: z.array(z.object({ id: z.int(), name: z.string() })) }),
    'GET',
    '/organizations/telephony-configs',
  );
  if (configurations.some(({ name }) => name === connectionName)) return;
  const publicKey = await (
    await fetch(`${carrierUrl}/emulator/public-key`, { signal: AbortSignal.timeout(5000) })
  ).text();
  const config = {
    provider: 'telnyx',
    api_key: 'simulated-demo-key',
    webhook_public_key: readKey(publicKey),
  };
  const { id } = await call(z.object({ id: z.int() }), 'POST', '/organizations/telephony-configs', {
    name: connectionName,
    is_default_outbound: true,
    config,
  });
  await call(z.object({ id: z.int() }), 'POST', `/organizations/telephony-configs/${id}/phone-numbers`, {
    address: ownNumber,
    label: 'Reception',
    is_default_caller_id: true,
  });
  for (const address of moreNumbers)
    await call(z.object({ id: z.int() }), 'POST', `/organizations/telephony-configs/${id}/phone-numbers`, {
      address,
      label: 'Campaigns',
    });
  detail(`connected «${connectionName}», number ${ownNumber} and ${moreNumbers.length} more for campaigns`);
}

/** The answer is either the key or JSON with it. */
function readKey(text: string): string {
  const [key = text.trim()] = /[A-Za-z0-9+/]{43}=/.exec(text) ?? [];
  return key;
}

/** Prints what the callee says and hears, live, until the call ends. */
async function follow({
  agentId,
  runId,
  carrierUrl,
  before,
}: {
  agentId: number;
  runId: number;
  carrierUrl: string;
  before: number;
}): Promise<Run> {
  let shown = before;
  for (const deadline = Date.now() + 330_000; Date.now() < deadline;) {
    for (const { n, type, text = '' } of await heardAfter(carrierUrl, shown)) {
      shown = n;
      detail(`${type === 'heard' ? styleText('green', 'agent') : styleText('cyan', 'Maria')}   ${text}`);
    }
    const run = await call(Run, 'GET', `/workflow/${agentId}/runs/${runId}`);
    if (run.is_completed) return run;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('the call did not end in time');
}

async function heardAfter(carrierUrl: string, after: number): Promise<z.infer<typeof Heard>['entries']> {
  const log = Heard.parse(
    await (
      await fetch(`${carrierUrl}/emulator/log?after=${after}`, { signal: AbortSignal.timeout(5000) })
    ).json(),
  );
  return log.entries.filter(({ type }) => type === 'heard' || type === 'said');
}

/** Files appear shortly after the end of the call (contract 6.7). */
async function recordingOf(agentId: number, runId: number): Promise<string | null> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const { recording_public_url: url } = await call(Run, 'GET', `/workflow/${agentId}/runs/${runId}`);
    if (url !== null) return url;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return null;
}
