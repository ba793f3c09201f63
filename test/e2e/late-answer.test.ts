import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { prepareDesk, startCustomer } from '../support/chaos/phone-calls.ts';
import { phoneCase, triggerPath } from '../support/chaos/phone-desk.ts';
import { startPhoneService, type LogEntry, type PhoneService } from '../support/phone-service.ts';
import { eventually } from '../support/process.ts';
import type { Receiver } from '../support/receiver.ts';
import { temporalTestClient } from '../support/temporal.ts';

let service: PhoneService;
let receiver: Receiver;

beforeAll(async () => {
  service = await startPhoneService();
  receiver = await startCustomer(service, () => undefined);
  await prepareDesk(service, receiver);
  service.startWorker();
  await service.startMedia();
});

afterAll(async () => {
  await receiver?.close();
  await service?.stop();
});

test('an agent speaks as soon as its stream begins, although the API that gets the answer event is away', async () => {
  const { number, name } = phoneCase(1);
  await service.carrier.setPersonas(number, [
    { name, steps: [{ do: 'ring', ms: 6000 }, { do: 'answer' }, { do: 'silence', ms: 60_000 }] },
  ]);
  const body = { phone_number: number.slice(1), initial_context: { case: name } };
  await eventually('the dial', async () =>
    (await service.request('POST', `/public/agent/${triggerPath}`, body)).status === 200 ? true : undefined,
  );
  await service.api.stop();
  const answered = await found('leg', ({ state }) => state === 'answered');
  const started = await found('stream', ({ what }) => what === 'started');
  const began = await found('sound_began', () => true);
  const webhooks = await service.carrier.log({ type: 'webhook', leg: answered.legId ?? '' });
  const gotAnswer = webhooks.filter(
    ({ eventType, outcome }) => eventType === 'call.answered' && outcome === 200,
  );
  process.stderr.write(
    `first word ${began.at - started.at} ms after the start of the stream, without the API\n`,
  );
  expect(gotAnswer).toEqual([]);
  expect(await signalsOfCall()).toContain('mediaBegan');
});

/** The signals that the Workflow of the only call received. */
async function signalsOfCall(): Promise<string[]> {
  const temporal = temporalTestClient(service.namespace);
  try {
    const workflowId = await eventually('the call in the list of Workflows', async () => {
      for await (const each of temporal.client.workflow.list({ query: "WorkflowType = 'callWorkflow'" }))
        return each.workflowId;
      return undefined;
    });
    const { events } = await temporal.client.workflow.getHandle(workflowId).fetchHistory();
    return (events ?? []).flatMap(
      ({ workflowExecutionSignaledEventAttributes: signal }) => signal?.signalName ?? [],
    );
  } finally {
    await temporal.close();
  }
}

async function found(type: string, isIt: (entry: LogEntry) => boolean): Promise<LogEntry> {
  return await eventually(type, async () => (await service.carrier.log({ type })).find(isIt), {
    detail: () => service.logs(),
  });
}
