import { flagText, nameText, type KindTexts, type PropertyText } from './texts.ts';

/** Exports to other vendors: stored with the graph, but not carried out by this service. */

const notCarriedOut = 'This service keeps the node with the graph and exports nothing.';

const required = (
  displayName: string,
  description: string,
  more: Partial<PropertyText> = {},
): PropertyText => ({ displayName, description, required: true, ...more });

const whenCounting = { cost_calculation_enabled: [true] };
const rate = (displayName: string, of: string): PropertyText => ({
  displayName,
  description: `Your rate for ${of}.`,
  default: null,
  show: whenCounting,
});

export const tunerTexts: KindTexts<'tuner'> = {
  description: `Describes an export of finished calls to Tuner. ${notCarriedOut}`,
  hint: null,
  icon: 'Activity',
  properties: {
    name: nameText('Tuner', 'export'),
    tuner_enabled: flagText(true, 'Enabled', 'Whether the export is wanted.'),
    tuner_agent_id: required('Agent', 'The agent as your Tuner workspace calls it.'),
    tuner_workspace_id: required('Workspace', 'Number of your Tuner workspace.'),
    tuner_api_key: required('API key', 'Key of your Tuner workspace. Answers show its last four characters.'),
    cost_calculation_enabled: flagText(
      false,
      'Calculate costs',
      'Whether costs are calculated from the rates below.',
    ),
    cost_llm_input_rate: rate('Model input', 'what the model reads'),
    cost_llm_cached_input_rate: rate('Model input, cached', 'what the model has read before'),
    cost_llm_output_rate: rate('Model output', 'what the model writes'),
    cost_tts_rate: rate('Speech', 'what is spoken'),
    cost_stt_rate: rate('Recognition', 'what is recognized'),
    cost_telephony_rate: rate('Telephony', 'the line'),
  },
  examples: [],
};

export const paygentTexts: KindTexts<'paygent'> = {
  description: `Describes an export of usage to Paygent. ${notCarriedOut}`,
  hint: null,
  icon: 'CreditCard',
  properties: {
    name: nameText('Paygent', 'export'),
    paygent_enabled: flagText(true, 'Enabled', 'Whether the export is wanted.'),
    paygent_api_key: required('API key', 'Your Paygent key. Answers show its last four characters.'),
    paygent_agent_id: required('Agent', 'The agent as Paygent calls it.'),
    paygent_customer_id: required('Customer', 'The customer as Paygent calls it.'),
    paygent_indicator: {
      displayName: 'Indicator',
      description: 'What is counted.',
      default: 'per-minute-call',
    },
  },
  examples: [],
};

export const noveumTexts: KindTexts<'noveum'> = {
  description: `Describes an export of finished calls to Noveum. ${notCarriedOut}`,
  hint: null,
  icon: 'Activity',
  properties: {
    name: nameText('Noveum', 'export'),
    noveum_enabled: flagText(true, 'Enabled', 'Whether the export is wanted.'),
    noveum_api_key: required('API key', 'Your Noveum key. Answers show its last four characters.'),
    noveum_project: required('Project', 'The project as Noveum calls it.'),
    noveum_environment: {
      displayName: 'Environment',
      description: 'The environment as Noveum calls it.',
      default: 'production',
    },
    noveum_record_audio: flagText(true, 'Record audio', 'Whether recordings are part of the export.'),
  },
  examples: [],
};
