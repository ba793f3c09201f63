import type { AgentVersionRow } from '../../../db/tables/agent-versions.ts';
import { own, ownObject } from '../../../domain/graph/definition.ts';
import { readBoolean } from '../../../domain/graph/fields.ts';
import { maxDurationMsOf } from '../../../domain/turn-taking/settings.ts';
import type { VoiceChannel } from '../../../domain/call/voice.ts';

/**
 * How a call by phone is held, by the settings of its version (contract 3.2). Machines are listened for on
 * the far end of calls that we dial.
 */
export function phoneChannel(
  { settings }: Pick<AgentVersionRow, 'settings'>,
  line: { provider: string } & Pick<
    VoiceChannel,
    'direction' | 'configurationId' | 'phoneNumberId' | 'ringing'
  >,
): VoiceChannel {
  const voicemail = ownObject(settings, 'voicemail_detection');
  const detectsMachines = line.direction === 'outbound' && readBoolean(own(voicemail, 'enabled')) === true;
  const leavesMessage = detectsMachines && readBoolean(own(voicemail, 'leave_message')) === true;
  return {
    kind: 'phone',
    ...line,
    maxDurationMs: maxDurationMsOf(settings),
    detectsMachines,
    ...(leavesMessage ? { leavesMessage } : {}),
  };
}
