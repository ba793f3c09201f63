import { z } from 'zod';
import { sendJson, type Api } from '../conversations.ts';

/** An agent that greets, answers every utterance, and stays at its first node; a webhook follows the end. */
export interface PhoneAgent {
  id: number;
  /** The uuid of its trigger. */
  uuid: string;
}

const Created = z.object({ id: z.int(), workflow_uuid: z.string() });

/** About two and a half seconds of simulated speech. */
const greeting = 'Hello, this is Ava of Bright Smile Dental.';

export async function createPhoneAgent(api: Api, webhookUrl: string): Promise<PhoneAgent> {
  const at = (y: number) => ({ position: { x: 0, y } });
  const nodes = [
    {
      id: 'welcome',
      type: 'startCall',
      ...at(0),
      data: {
        name: 'Welcome',
        greeting_type: 'text',
        greeting,
        allow_interrupt: true,
        add_global_prompt: true,
        prompt:
          'Your task: answer questions about the visit. The clinic is at 12 Oak Street. Parking behind the building is free. Patients bring their insurance card.',
      },
    },
    {
      id: 'goodbye',
      type: 'endCall',
      ...at(200),
      data: { name: 'Goodbye', prompt: 'Thank the caller and say goodbye.', add_global_prompt: true },
    },
    {
      id: 'global',
      type: 'globalNode',
      ...at(-200),
      data: {
        name: 'Manner',
        prompt:
          'You are Ava, the voice assistant of Bright Smile Dental. You are on a phone call: answer in one or two short sentences. Ask one thing at a time.',
      },
    },
    {
      id: 'result',
      type: 'webhook',
      ...at(400),
      data: {
        name: 'Send the result',
        enabled: true,
        http_method: 'POST',
        endpoint_url: webhookUrl,
        payload_template: { call: '{{workflow_run_id}}', transcript: '{{transcript_url}}' },
      },
    },
  ];
  const edges = [
    {
      id: 'welcome-goodbye',
      source: 'welcome',
      target: 'goodbye',
      data: { label: 'Nothing more', condition: 'The caller says goodbye.' },
    },
  ];
  const created = Created.parse(
    (
      await sendJson(api, 'POST', '/workflow/create/definition', {
        name: 'Agent of the benchmark',
        workflow_definition: { nodes, edges },
      })
    ).body,
  );
  return { id: created.id, uuid: created.workflow_uuid };
}
