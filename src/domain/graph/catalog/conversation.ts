import { flagText, nameText, type KindTexts, type PropertyText } from './texts.ts';

/** Start, agent and end nodes: the steps of a conversation. */

const promptText = (step: string): PropertyText => ({
  displayName: 'Prompt',
  description: `What the agent should do ${step}. May contain {{variables}}.`,
  hint: 'One goal per node. Say what to ask or tell and when the step is done; the edges describe the ways out.',
  type: 'mention_textarea',
  required: true,
});

const globalPromptText = (initial: boolean): PropertyText =>
  flagText(initial, 'Add the global prompt', 'Puts the prompt of the Global Node in front of this one.');

const interruptText = (initial: boolean): PropertyText =>
  flagText(initial, 'Allow interruption', 'The caller may interrupt the agent in this step.');

const whenExtracting = { extraction_enabled: [true] };

const extractionTexts = {
  extraction_enabled: flagText(
    false,
    'Extract variables',
    'Extracts values from the conversation in this step.',
  ),
  extraction_prompt: {
    displayName: 'Extraction prompt',
    description: 'Instructions for all variables together. May contain {{variables}}.',
    default: null,
    show: whenExtracting,
    editor: 'textarea',
  },
  extraction_variables: {
    displayName: 'Variables',
    description: 'What to extract. A later value replaces an earlier one of the same name.',
    hint: 'A list of {name, type, prompt}.',
    default: null,
    show: whenExtracting,
    item: {
      name: {
        displayName: 'Name',
        description: 'The key under which the value is kept in gathered_context.',
        placeholder: 'appointment_day',
      },
      type: {
        displayName: 'Type',
        description: 'What kind of value it is.',
        default: 'string',
        required: true,
        labels: { string: 'Text', number: 'Number', boolean: 'Yes or no' },
      },
      prompt: {
        displayName: 'Prompt',
        description: 'How to recognize the value. May contain {{variables}}.',
        default: null,
        editor: 'textarea',
      },
    },
  },
} satisfies Record<string, PropertyText>;

const abilityTexts = {
  tool_uuids: {
    displayName: 'Tools',
    description: 'Tools that the agent can use in this step.',
    hint: 'A list of tool UUIDs, as the list of tools shows them.',
    type: 'tool_refs',
    default: null,
  },
  document_uuids: {
    displayName: 'Documents',
    description: 'Documents of the knowledge base that the agent can search in this step.',
    hint: 'A list of document UUIDs, as the list of documents shows them.',
    type: 'document_refs',
    default: null,
  },
} satisfies Record<string, PropertyText>;

const whenFetching = { pre_call_fetch_mode: ['always', 'inbound', 'outbound'] };

const fetchTexts = {
  pre_call_fetch_mode: {
    displayName: 'Fetch data before the call',
    description:
      'Asks your system for values before the agent speaks. They become {{variables}} of the call.',
    default: 'disabled',
    labels: { disabled: 'Never', always: 'Every call', inbound: 'Inbound calls', outbound: 'Outbound calls' },
  },
  pre_call_fetch_url: {
    displayName: 'Address',
    description: 'Where the request goes.',
    type: 'url',
    default: null,
    placeholder: 'https://crm.example.com/caller',
    show: whenFetching,
  },
  pre_call_fetch_credential_uuid: {
    displayName: 'Credential',
    description: 'How the request identifies itself.',
    hint: 'A credential UUID, as the list of credentials shows it.',
    type: 'credential_ref',
    default: null,
    show: whenFetching,
  },
  pre_call_fetch_enabled: {
    displayName: 'Fetch data (old)',
    description: 'Older clients send this instead of the mode; true means every call. It is not stored.',
    default: null,
    show: { pre_call_fetch_mode: [] },
  },
} satisfies Record<string, PropertyText>;

const openingTexts = {
  greeting_type: {
    displayName: 'Kind of greeting',
    description: 'A text that is spoken, or a recording that is played.',
    default: 'text',
    labels: { text: 'Text', audio: 'Recording' },
  },
  greeting: {
    displayName: 'Greeting',
    description: 'Spoken before the model is asked. When empty, the model opens. May contain {{variables}}.',
    default: null,
    placeholder: 'Hello {{first_name | there}}, how can I help?',
    show: { greeting_type: ['text'] },
    editor: 'textarea',
  },
  greeting_recording_id: {
    displayName: 'Recording',
    description: 'Played instead of a spoken greeting.',
    hint: 'A recording_id, as the list of recordings shows it.',
    type: 'recording_ref',
    default: null,
    show: { greeting_type: ['audio'] },
  },
} satisfies Record<string, PropertyText>;

const delayTexts = {
  delayed_start: flagText(false, 'Wait before speaking', 'Gives the other side a moment after picking up.'),
  delayed_start_duration: {
    displayName: 'Seconds to wait',
    description: 'How long the agent waits before its opening.',
    default: 2,
    minValue: 0.1,
    maxValue: 10,
    show: { delayed_start: [true] },
  },
} satisfies Record<string, PropertyText>;

export const startCallTexts: KindTexts<'startCall'> = {
  description: 'Where every call begins: the greeting and the first exchange.',
  hint: 'Every graph has exactly one. It can greet, wait, and fetch values from an outside system before the first words.',
  icon: 'Play',
  properties: {
    name: nameText('Start Call', 'step'),
    ...openingTexts,
    prompt: promptText('in the first exchange'),
    allow_interrupt: interruptText(false),
    add_global_prompt: globalPromptText(true),
    ...delayTexts,
    ...extractionTexts,
    ...abilityTexts,
    ...fetchTexts,
  },
  examples: [
    {
      name: 'Warm greeting',
      description: 'Greets by name and asks for the reason of the call.',
      data: {
        name: 'Greeting',
        greeting_type: 'text',
        greeting: 'Hello {{first_name | there}}, this is the service desk.',
        prompt: 'Ask what the caller needs. Do not solve it yet.',
        allow_interrupt: false,
      },
    },
  ],
};

export const agentNodeTexts: KindTexts<'agentNode'> = {
  description: 'One step of the conversation with a goal of its own.',
  hint: 'Most graphs are agent nodes joined by edges; each edge says when to follow it.',
  icon: 'Headset',
  properties: {
    name: nameText('Agent', 'step'),
    prompt: promptText('in this step'),
    allow_interrupt: interruptText(true),
    add_global_prompt: globalPromptText(true),
    ...extractionTexts,
    ...abilityTexts,
  },
  examples: [
    {
      name: 'Ask for a day',
      description: 'Agrees on a day and keeps it.',
      data: {
        name: 'Ask for a day',
        prompt: 'Agree on a day for the appointment.',
        extraction_enabled: true,
        extraction_variables: [
          { name: 'appointment_day', type: 'string', prompt: 'The day both agreed on.' },
        ],
      },
    },
  ],
};

export const endCallTexts: KindTexts<'endCall'> = {
  description: 'Says goodbye and ends the call.',
  hint: 'A graph may have several, one for each way a call can end. No edge leaves it.',
  icon: 'OctagonX',
  properties: {
    name: nameText('End Call', 'ending'),
    prompt: promptText('with its last words'),
    add_global_prompt: globalPromptText(false),
    ...extractionTexts,
  },
  examples: [
    {
      name: 'Friendly close',
      description: 'Thanks and repeats what was agreed.',
      data: {
        name: 'Agreed',
        prompt: 'Repeat what was agreed in one sentence, thank the caller and say goodbye.',
      },
    },
  ],
};
