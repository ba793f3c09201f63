import { getRow } from '../../../../db/rows.ts';
import { calls } from '../../../../db/tables/calls.ts';
import type { AgentSettings } from '../../../../domain/agents/settings.ts';
import type { VoiceChannel } from '../../../../domain/call/voice.ts';
import type { CallStarter } from '../../../../temporal/port.ts';
import { callInputOf } from '../call-input.ts';
import { refuseCall } from '../refuse.ts';
import type { ServiceContext } from '../../../kernel/index.ts';
import type { WebCall } from '../../../media/index.ts';

export interface StartWebCallDeps extends Pick<ServiceContext, 'db' | 'clock'> {
  calls: Pick<CallStarter, 'startCall'>;
}

/**
 * Starts the Workflow of a browser's call whose socket is at that host. The row is `pending` and has its
 * seat. A call that cannot be started is `refused` before this throws, and never runs.
 */
export async function startWebCall({
  deps,
  call: { callId, organizationId },
  host,
}: {
  deps: StartWebCallDeps;
  call: WebCall;
  host: NonNullable<VoiceChannel['host']>;
}): Promise<void> {
  const call = await getRow(deps.db.manager, calls, { id: callId, organizationId });
  try {
    await deps.calls.startCall(
      await callInputOf(deps.db.manager, call, (settings) =>
        webChannel(settings, { direction: call.direction, host }),
      ),
    );
  } catch (error) {
    // guarantee: unstartable-web-call-never-runs
    await refuseCall(deps, call);
    throw error;
  }
}

/** The channel of a call in a browser, from the settings of its version (contract 3.2). */
function webChannel(
  { maxCallDurationMs }: AgentSettings,
  browser: Required<Pick<VoiceChannel, 'direction' | 'host'>>,
): VoiceChannel {
  return {
    kind: 'web',
    ...browser,
    maxDurationMs: maxCallDurationMs,
    configurationId: null,
    phoneNumberId: null,
    detectsMachines: false,
  };
}
