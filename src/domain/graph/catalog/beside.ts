import { stockInstruction } from '../stock-instruction.ts';
import { flagText, nameText, type KindTexts } from './texts.ts';

/** Nodes outside the conversation: the global prompt, the trigger, and what happens after a call. */

export const globalNodeTexts: KindTexts<'globalNode'> = {
  description: 'Persona, tone and rules that hold in every step.',
  hint: 'At most one per graph, without edges. Its prompt goes in front of that of every step with add_global_prompt.',
  icon: 'Globe',
  properties: {
    name: nameText('Global Node', 'prompt'),
    prompt: {
      displayName: 'Prompt',
      description: 'Put in front of the prompt of every step that asks for it. May contain {{variables}}.',
      type: 'mention_textarea',
      required: true,
      default:
        'You speak with people on the phone. Keep sentences short and words simple. Write nothing that cannot be spoken: no lists, no symbols, no formatting.',
    },
  },
  examples: [
    {
      name: 'Clinic desk',
      description: 'Who the agent is and what it never does.',
      data: {
        name: 'Persona',
        prompt: 'You are the friendly voice of a dental clinic. Never give medical advice.',
      },
    },
  ],
};

export const triggerTexts: KindTexts<'trigger'> = {
  description: 'Lets your systems start calls of this agent over HTTP.',
  hint: 'At most one per graph. Production: POST /api/v1/public/agent/<trigger_path>, the published version. Test: POST /api/v1/public/agent/test/<trigger_path>, the draft when there is one. Both need the header X-API-Key.',
  icon: 'Webhook',
  properties: {
    name: nameText('API Trigger', 'trigger'),
    enabled: flagText(true, 'Enabled', 'When off, both addresses answer 404.'),
    trigger_path: {
      displayName: 'Path',
      description:
        'The last part of both addresses. The service sets it when it is empty; unique across the whole service.',
      default: null,
      minLength: 1,
      maxLength: 36,
      pattern: '^[A-Za-z0-9_-]{1,36}$',
    },
  },
  examples: [
    {
      name: 'Own path',
      description: 'A path that people can read.',
      data: { name: 'Order desk', enabled: true, trigger_path: 'order-desk' },
    },
  ],
};

export const webhookTexts: KindTexts<'webhook'> = {
  description: 'Sends the results of each finished call to your system.',
  hint: 'Has no edges. Deliveries are signed and retried for about three days.',
  icon: 'Link2',
  properties: {
    name: nameText('Webhook', 'webhook'),
    enabled: flagText(true, 'Enabled', 'When off, nothing is sent.'),
    http_method: { displayName: 'Method', description: 'GET and DELETE carry no body.', default: 'POST' },
    endpoint_url: {
      displayName: 'Address',
      description: 'Where results are sent. Nothing is sent without an address. Not a template.',
      type: 'url',
      default: null,
      placeholder: 'https://crm.example.com/calls',
    },
    credential_uuid: {
      displayName: 'Credential',
      description: 'How the request identifies itself.',
      hint: 'A credential UUID, as the list of credentials shows it.',
      type: 'credential_ref',
      default: null,
    },
    custom_headers: {
      displayName: 'Headers',
      description: 'Sent as they are. For secrets use a credential.',
      default: null,
      item: {
        key: { displayName: 'Name', description: 'Name of the header.', placeholder: 'X-Source' },
        value: { displayName: 'Value', description: 'Value of the header. Not a template.' },
      },
    },
    payload_template: {
      displayName: 'Body',
      description: 'A JSON object whose texts may contain {{variables}} of the call.',
      hint: 'Names: workflow_run_id, initial_context.*, gathered_context.*, annotations.*, cost_info.call_duration_seconds, recording_url, transcript_url.',
      default: {
        call_id: '{{workflow_run_id}}',
        first_name: '{{initial_context.first_name}}',
        rsvp: '{{gathered_context.rsvp}}',
        duration: '{{cost_info.call_duration_seconds}}',
        recording_url: '{{recording_url}}',
        user_recording_url: '{{user_recording_url}}',
        bot_recording_url: '{{bot_recording_url}}',
        transcript_url: '{{transcript_url}}',
      },
    },
  },
  examples: [
    {
      name: 'Appointments to a CRM',
      description: 'Posts what was gathered.',
      data: {
        name: 'CRM',
        http_method: 'POST',
        endpoint_url: 'https://crm.example.com/appointments',
        payload_template: { call_id: '{{workflow_run_id}}', day: '{{gathered_context.appointment_day}}' },
      },
    },
  ],
};

const withOwnModel = { qa_use_workflow_llm: [false] };

export const qaTexts: KindTexts<'qa'> = {
  description: 'Lets a language model judge each finished call, step by step.',
  hint: 'Has no edges. Results are in the annotations of the call before webhooks are sent.',
  icon: 'ClipboardCheck',
  properties: {
    name: nameText('QA Analysis', 'analysis'),
    qa_enabled: flagText(true, 'Enabled', 'When off, no call is judged.'),
    qa_system_prompt: {
      displayName: 'Instructions',
      description:
        'Instructions for the model that judges. May contain {{node_summary}}, {{previous_conversation_summary}}, {{transcript}} and {{metrics}}.',
      default: stockInstruction,
      editor: 'textarea',
    },
    qa_min_call_duration: {
      displayName: 'Minimum duration',
      description: 'Shorter calls are not judged, in seconds.',
      default: 15,
    },
    qa_voicemail_calls: flagText(false, 'Judge voicemail', 'Also judges calls that reached a machine.'),
    qa_sample_rate: {
      displayName: 'Sample',
      description: 'Percentage of calls that are judged.',
      default: 100,
    },
    qa_use_workflow_llm: flagText(true, 'Use the model of the agent', 'When off, the model below judges.'),
    qa_provider: {
      displayName: 'Provider',
      description: 'The provider of the model that judges.',
      default: null,
      show: withOwnModel,
      labels: { openai: 'OpenAI', azure: 'Azure OpenAI', openrouter: 'OpenRouter', anthropic: 'Anthropic' },
    },
    qa_model: {
      displayName: 'Model',
      description: 'The model as its provider calls it; for Azure the name of the deployment.',
      default: 'default',
      show: withOwnModel,
    },
    qa_api_key: {
      displayName: 'API key',
      description: 'Key of the provider. Answers show its last four characters.',
      default: null,
      show: withOwnModel,
    },
    qa_endpoint: {
      displayName: 'Endpoint',
      description: 'Address of your Azure resource.',
      type: 'url',
      default: null,
      placeholder: 'https://name.openai.azure.com',
      show: { ...withOwnModel, qa_provider: ['azure'] },
    },
  },
  examples: [
    {
      name: 'One call in ten',
      description: 'Judges a sample of calls of at least half a minute.',
      data: { name: 'Quality', qa_min_call_duration: 30, qa_sample_rate: 10 },
    },
  ],
};
