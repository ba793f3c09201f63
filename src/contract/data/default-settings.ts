/**
 * The defaults of an agent's settings (contract 3.1). Plain data and the only table of them: the interface
 * shows it, and calls read it.
 */

/** In the order in which `GET /user/configurations/defaults` answers them. */
export const defaultSettings = {
  ambient_noise_configuration: { enabled: false, volume: 0.3 },
  max_call_duration: 300,
  max_user_idle_timeout: 10,
  smart_turn_stop_secs: 2,
  turn_start_strategy: 'default' as const,
  turn_start_min_words: 3,
  provisional_vad_pause_secs: 1.5,
  turn_stop_strategy: 'transcription' as const,
  dictionary: '',
  context_compaction_enabled: false,
  text_chat_inactivity_timeout_seconds: 1800,
  external_pbx_field_mappings: [],
  external_pbx_lead_headers: [],
};

/** Settings that the service reads although the schema does not list them. */
export const unlistedDefaults = {
  voicemail_detection: {
    enabled: false,
    use_workflow_llm: true,
    /** Of the default vendor only. */
    model: 'gpt-4.1',
    system_prompt: '',
    long_speech_timeout: 8,
    leave_message: false,
  },
  user_turn_stop_timeout: { usual: 5, recognizerMarksTurns: 30 },
  transcript_configuration: { include_end_timestamps: false },
};
