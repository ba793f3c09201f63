import type { AgentSettings } from '../../../domain/agents/settings.ts';
import type { VoiceChannel } from '../../../domain/call/voice.ts';

/**
 * How a call by phone is held, by the settings of its version (contract 3.2). Machines are listened for on
 * the far end of calls that we dial.
 */
export function phoneChannel(
  { maxCallDurationMs, voicemailDetection }: AgentSettings,
  phone: { provider: string } & Pick<
    VoiceChannel,
    'direction' | 'configurationId' | 'phoneNumberId' | 'ringing'
  >,
): VoiceChannel {
  const detectsMachines = phone.direction === 'outbound' && voicemailDetection.isEnabled;
  const leavesMessage = detectsMachines && voicemailDetection.leavesMessage;
  return {
    kind: 'phone',
    ...phone,
    maxDurationMs: maxCallDurationMs,
    detectsMachines,
    ...(leavesMessage ? { leavesMessage } : {}),
  };
}
