import type { RunMode } from '../../contract/calls.ts';

/** How a call is held (docs/glossary.md). */
export type CallChannel = 'text' | 'phone' | 'web';

const channels = {
  telnyx: 'phone',
  twilio: 'phone',
  plivo: 'phone',
  vonage: 'phone',
  vobiz: 'phone',
  cloudonix: 'phone',
  ari: 'phone',
  webrtc: 'web',
  smallwebrtc: 'web',
  web: 'web',
  textchat: 'text',
} as const satisfies Record<RunMode, CallChannel>;

/** The channel of a mode of contract 6.3. */
export function channelOf(mode: RunMode): CallChannel {
  return channels[mode];
}
