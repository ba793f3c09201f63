/**
 * The agent of the demonstration, which reminds patients of a dental clinic of their appointment. A complete
 * definition for the API (`POST /api/v1/workflow/create/definition`, then `PUT` with test values and
 * settings).
 */
export interface DemoAgent {
  name: string;
  workflow_definition: { nodes: DemoNode[]; edges: DemoEdge[] };
  /** Test values, which text sessions use as initial context. */
  template_context_variables: Record<string, string | number>;
  workflow_configurations: Record<string, unknown>;
}

export interface DemoNode {
  id: string;
  type: 'startCall' | 'agentNode' | 'endCall' | 'globalNode' | 'trigger' | 'webhook' | 'qa';
  position: { x: number; y: number };
  data: Record<string, unknown>;
}

export interface DemoEdge {
  id: string;
  source: string;
  target: string;
  data: { label: string; condition: string; transition_speech?: string; transition_speech_type?: 'text' };
}

/** The path of the agent's trigger: `POST /api/v1/public/agent/appointment-reminder`. */
export const demoTriggerPath = 'appointment-reminder';

/** The definition whose webhook node calls `webhookUrl`; without an address it has no webhook node. */
export function demoAgent({ webhookUrl }: { webhookUrl: string | null }): DemoAgent {
  return {
    name: 'Appointment reminder of Bright Smile Dental',
    workflow_definition: {
      nodes: [
        ...conversationNodes(),
        globalNode(),
        triggerNode(),
        ...(webhookUrl === null ? [] : [webhookNode(webhookUrl)]),
        qaNode(),
      ],
      edges: edges(),
    },
    template_context_variables: {
      first_name: 'Maria',
      appointment_day: 'Tuesday, 24 November',
      appointment_time: '10:00 AM',
      dentist: 'Dr. Chen',
      patient_id: 'P-1042',
    },
    workflow_configurations: {
      max_call_duration: 300,
      max_user_idle_timeout: 10,
      text_chat_inactivity_timeout_seconds: 900,
      dictionary: 'Chen, Bright Smile',
    },
  };
}

function globalNode(): DemoNode {
  return {
    id: 'global',
    type: 'globalNode',
    position: { x: -400, y: 0 },
    data: {
      name: 'Manner',
      prompt: [
        'You are Ava, the voice assistant of Bright Smile Dental. You are an AI; if somebody asks, say so at once.',
        'You are on a phone call: answer in one or two short sentences of plain spoken English, without lists or symbols.',
        'Ask one thing at a time. Never invent a price, a medical fact or a free appointment. You cannot give medical advice; for pain or an emergency tell the caller to ring the clinic at once.',
        'Call a function as soon as its condition is met, without announcing it.',
        'The appointment: {{appointment_day}} at {{appointment_time}} with {{dentist | one of our dentists}}, patient {{first_name | unknown}}. In the clinic it is {{current_weekday_America/New_York}}, {{current_time_America/New_York}}.',
      ].join('\n'),
    },
  };
}

function conversationNodes(): DemoNode[] {
  return [
    {
      id: 'welcome',
      type: 'startCall',
      position: { x: 0, y: 0 },
      data: {
        name: 'Welcome',
        greeting_type: 'text',
        greeting:
          'Hello {{first_name | there}}, this is Ava, the AI assistant of Bright Smile Dental, so you are not talking to a person. I am calling about your appointment on {{appointment_day}} at {{appointment_time}}. Is this a good moment?',
        prompt:
          'Your task in this step: find out whether the caller has a moment to talk about the appointment. If it is the wrong person, apologize and end the call.',
        allow_interrupt: true,
        add_global_prompt: true,
      },
    },
    {
      id: 'confirm',
      type: 'agentNode',
      position: { x: 0, y: 200 },
      data: {
        name: 'Confirm the appointment',
        prompt:
          'Your task in this step: ask whether the caller will come to the appointment as planned, and wait for a clear yes or no.',
        allow_interrupt: true,
        add_global_prompt: true,
        extraction_enabled: true,
        extraction_prompt: 'The caller speaks about the dental appointment on {{appointment_day}}.',
        extraction_variables: [
          {
            name: 'confirmed',
            type: 'boolean',
            prompt:
              'true if the caller will come on {{appointment_day}} as planned, false if the caller cannot or will not come then',
          },
          {
            name: 'reason',
            type: 'string',
            prompt: 'Why the caller cannot come, in the words of the caller',
          },
        ],
      },
    },
    {
      id: 'reschedule',
      type: 'agentNode',
      position: { x: 300, y: 400 },
      data: {
        name: 'Find another time',
        prompt:
          'Your task in this step: ask which day and time would suit the caller better, say back what you understood, and wait until the caller says that it is right. The clinic is open Monday to Friday from 8 AM to 6 PM. You note a wish; the clinic confirms it by text message.',
        allow_interrupt: true,
        add_global_prompt: true,
        extraction_enabled: true,
        extraction_variables: [
          {
            name: 'preferred_time',
            type: 'string',
            prompt: 'The day and time that the caller would like instead',
          },
        ],
      },
    },
    {
      id: 'questions',
      type: 'agentNode',
      position: { x: 0, y: 600 },
      data: {
        name: 'Companions and questions',
        prompt:
          'Your task in this step: ask whether the caller comes alone or with somebody who is to be seen too, and answer questions. The clinic is at 12 Oak Street. Parking behind the building is free. Patients bring their insurance card. When you do not know an answer, say that the clinic will call back.',
        allow_interrupt: true,
        add_global_prompt: true,
        extraction_enabled: true,
        extraction_variables: [
          {
            name: 'party_size',
            type: 'number',
            prompt: 'How many people come to the appointment, the caller included',
          },
        ],
      },
    },
    {
      id: 'goodbye',
      type: 'endCall',
      position: { x: 0, y: 800 },
      data: {
        name: 'Goodbye',
        prompt:
          'Your task in this step: thank the caller, sum up in half a sentence what was agreed, and say goodbye. Ask nothing more.',
        add_global_prompt: true,
        extraction_enabled: true,
        extraction_variables: [
          {
            name: 'call_back_wanted',
            type: 'boolean',
            prompt: 'true if the caller wants the clinic to call back, false if the caller declined that',
          },
        ],
      },
    },
  ];
}

function triggerNode(): DemoNode {
  return {
    id: 'trigger',
    type: 'trigger',
    position: { x: -400, y: -200 },
    data: { name: 'Start by API', enabled: true, trigger_path: demoTriggerPath },
  };
}

function webhookNode(url: string): DemoNode {
  return {
    id: 'result',
    type: 'webhook',
    position: { x: 400, y: 800 },
    data: {
      name: 'Send the result to the clinic',
      enabled: true,
      http_method: 'POST',
      endpoint_url: url,
      payload_template: {
        call: {
          id: '{{workflow_run_id}}',
          name: '{{workflow_run_name}}',
          started_at: '{{call_time}}',
          seconds: '{{cost_info.call_duration_seconds}}',
          transcript: '{{transcript_url}}',
        },
        patient: { id: '{{initial_context.patient_id}}', first_name: '{{initial_context.first_name}}' },
        confirmed: '{{gathered_context.confirmed}}',
        reason: '{{gathered_context.reason | none given}}',
        preferred_time: '{{gathered_context.preferred_time | as planned}}',
        party_size: '{{gathered_context.party_size | 1}}',
        call_back_wanted: '{{gathered_context.call_back_wanted | false}}',
        quality: '{{annotations.qa_quality.score}}',
      },
    },
  };
}

function qaNode(): DemoNode {
  return {
    id: 'quality',
    type: 'qa',
    position: { x: 800, y: 800 },
    data: { name: 'Judge the conversation', qa_enabled: true, qa_min_call_duration: 0 },
  };
}

function edges(): DemoEdge[] {
  return [
    {
      id: 'welcome-confirm',
      source: 'welcome',
      target: 'confirm',
      data: { label: 'Good moment', condition: 'The caller has a moment to talk.' },
    },
    {
      id: 'welcome-goodbye',
      source: 'welcome',
      target: 'goodbye',
      data: {
        label: 'No time now',
        condition: 'The caller has no time now, is the wrong person, or does not want to talk.',
      },
    },
    {
      id: 'confirm-questions',
      source: 'confirm',
      target: 'questions',
      data: {
        label: 'Appointment confirmed',
        condition: 'The caller said clearly that they will come as planned.',
      },
    },
    {
      id: 'confirm-reschedule',
      source: 'confirm',
      target: 'reschedule',
      data: {
        label: 'Needs another time',
        condition: 'The caller cannot come at the planned time or wants another one.',
        transition_speech: 'No problem, {{first_name | then}}, let us find another time.',
        transition_speech_type: 'text',
      },
    },
    {
      id: 'reschedule-questions',
      source: 'reschedule',
      target: 'questions',
      data: {
        label: 'New time noted',
        condition: 'The caller agreed to the day and time that you said back.',
      },
    },
    {
      id: 'questions-reschedule',
      source: 'questions',
      target: 'reschedule',
      data: {
        label: 'Another time after all',
        condition: 'The caller wants to change the day or time after all.',
      },
    },
    {
      id: 'questions-goodbye',
      source: 'questions',
      target: 'goodbye',
      data: { label: 'Nothing more', condition: 'The caller has no further question, or says goodbye.' },
    },
  ];
}
