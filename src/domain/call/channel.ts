import type { RunMode } from '../../contract/calls.ts';

/** The channel of a call (docs/glossary.md). */
export type CallChannel = 'text' | 'phone' | 'web';

/** Every other mode is the name of a carrier. */
const channelsWithoutCarrier: Partial<Record<RunMode, CallChannel>> = {
  webrtc: 'web',
  smallwebrtc: 'web',
  web: 'web',
  textchat: 'text',
};

/** The channel of a mode of contract 6.3. */
export function channelOf(mode: RunMode): CallChannel {
  return channelsWithoutCarrier[mode] ?? 'phone';
}
