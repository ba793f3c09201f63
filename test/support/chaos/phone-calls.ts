import { z } from 'zod';
import { startPhoneService, type MediaProcess, type PhoneService } from '../phone-service.ts';
import type { RunningProcess } from '../process.ts';
import { startReceiver, type Receiver } from '../receiver.ts';
import type { WholeServiceOptions } from '../whole-service.ts';
import { pause } from './caller.ts';
import {
  deskNumber,
  deskPersona,
  personaOf,
  phoneDesk,
  phoneDeskRules,
  phoneDeskTools,
  triggerPath,
  type PhoneCase,
} from './phone-desk.ts';

const Made = z.object({ id: z.int() });
const Tool = z.object({ tool_uuid: z.string() });
const Secrets = z.array(z.object({ secret: z.string() }));
const Order = z.object({ case: z.string() });
export const Result = z.object({ case: z.string(), drink: z.string(), call_disposition: z.string() });

/** The customer's server, which accepts orders slowly, and results. */
export async function startCustomer(
  service: PhoneService,
  onOrder: (name: string) => void,
): Promise<Receiver> {
  const secrets = Secrets.parse((await service.request('GET', '/organizations/webhook-secrets')).body);
  return await startReceiver({
    secrets: secrets.map(({ secret }) => secret),
    answer: ({ path, body }) => {
      if (path !== '/order') return { kind: 'answer', status: 204 };
      onOrder(Order.parse(JSON.parse(body)).case);
      return {
        kind: 'answer',
        status: 200,
        body: '{"order_number":7}',
        headers: { 'content-type': 'application/json' },
        delayMs: 400,
      };
    },
  });
}

/** Cases in the order of their orders. */
export const ordersAt = ({ requests }: Receiver): string[] =>
  requests.filter(({ path }) => path === '/order').map(({ body }) => Order.parse(JSON.parse(body)).case);

/** The results that the customer received, including repetitions. */
export function resultsAt({
  requests,
}: Receiver): { webhookId: string; isSigned: boolean; result: z.infer<typeof Result> }[] {
  return requests
    .filter(({ path }) => path === '/result')
    .map(({ webhookId, verifiedBy, body }) => ({
      webhookId,
      isSigned: verifiedBy.length === 1,
      result: Result.parse(JSON.parse(body)),
    }));
}

/**
 * The connection to the carrier, the model's rules, the tools and the published agent, which also answers
 * calls to our number.
 */
export async function prepareDesk(
  service: PhoneService,
  receiver: Receiver,
): Promise<{ agentId: number; number: string }> {
  const { configurationId, numberId, number } = await service.connect();
  const rules = await fetch(new URL('/emulator/rules', service.llmUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer simulated' },
    body: JSON.stringify({ scope: 'simulated', rules: phoneDeskRules() }),
  });
  if (rules.status !== 201)
    throw new Error(`the rules were not taken: ${rules.status} ${await rules.text()}`);
  const toolUuids: string[] = [];
  for (const tool of phoneDeskTools(receiver.url))
    toolUuids.push(Tool.parse((await service.request('POST', '/tools/', tool)).body).tool_uuid);
  const { id } = Made.parse(
    (
      await service.request('POST', '/workflow/create/definition', {
        name: 'Phone desk',
        workflow_definition: phoneDesk({ url: receiver.url, toolUuids }),
      })
    ).body,
  );
  const settings = await service.request('PUT', `/workflow/${id}`, {
    workflow_configurations: { max_user_idle_timeout: 20, max_call_duration: 300 },
  });
  const published = await service.request('POST', `/workflow/${id}/publish`);
  if (settings.status !== 200 || published.status !== 200)
    throw new Error(`the agent was not published: ${JSON.stringify([settings.body, published.body])}`);
  const answers = await service.request(
    'PUT',
    `/organizations/telephony-configs/${configurationId}/phone-numbers/${numberId}`,
    { inbound_workflow_id: id },
  );
  if (answers.status !== 200)
    throw new Error(`the number was not given to the agent: ${JSON.stringify(answers.body)}`);
  await service.carrier.setPersonas(deskNumber, [deskPersona]);
  return { agentId: id, number };
}

/** A phone service with one worker and one media host, whose desk takes calls. */
export interface PhoneOffice {
  service: PhoneService;
  receiver: Receiver;
  worker: RunningProcess;
  media: MediaProcess;
  close: () => Promise<void>;
}

export async function openPhoneOffice(options: WholeServiceOptions): Promise<PhoneOffice> {
  const service = await startPhoneService(options);
  const receiver = await startCustomer(service, () => undefined);
  await prepareDesk(service, receiver);
  return {
    service,
    receiver,
    worker: service.startWorker(),
    media: await service.startMedia(),
    close: async () => {
      await receiver.close();
      await service.stop();
    },
  };
}

/** The host gets no processor time for so long. */
export async function suspend({ child }: MediaProcess, ms: number): Promise<void> {
  child.kill('SIGSTOP');
  await pause(ms);
  child.kill('SIGCONT');
}

/**
 * Triggers one call as the interface asks of a client: a lost or postponed request is repeated under the same
 * key. Answers its Workflow Id.
 */
export async function trigger(service: PhoneService, each: PhoneCase): Promise<string> {
  const Triggered = z.object({ temporal_workflow_id: z.string() });
  await service.carrier.setPersonas(each.number, [personaOf(each)]);
  const body = { phone_number: each.number.slice(1), initial_context: { case: each.name } };
  for (const deadline = Date.now() + 120_000; ;) {
    const answer = await service
      .request('POST', `/public/agent/${triggerPath}`, body, { 'Idempotency-Key': each.name })
      .catch(() => null);
    if (answer?.status === 200) return Triggered.parse(answer.body).temporal_workflow_id;
    const retryAfter = answer?.headers.get('retry-after') ?? null;
    const isToComeLater = answer === null || (retryAfter !== null && [409, 429, 503].includes(answer.status));
    if (!isToComeLater || Date.now() > deadline)
      throw new Error(
        `the trigger of ${each.name} answered ${answer?.status}: ${JSON.stringify(answer?.body)}`,
      );
    await pause(answer === null ? 250 : Number(retryAfter) * 1000);
  }
}
