import type { CallRow } from '../../../db/tables/calls.ts';
import { takesBody } from '../../../domain/delivery/method.ts';
import type { SendableWebhook } from '../../../domain/graph/model.ts';
import { payloadVariables, renderPayload } from '../../../domain/rendering/render.ts';
import { publicLink, type PublicArtifact } from '../records/public-link.ts';

export type PayloadVariables = ReturnType<typeof payloadVariables>;

/**
 * The payload of a webhook for a call, as JSON; null for a method without a body. `call_disposition` is added
 * where the template does not set it (contract 9.2).
 */
export function payloadOf(
  { method, payloadTemplate }: SendableWebhook,
  call: CallRow,
  variables: PayloadVariables,
): string | null {
  if (!takesBody(method)) return null;
  const rendered = renderPayload(payloadTemplate ?? {}, { variables, now: call.startedAt ?? call.createdAt });
  const payload = new Map(Object.entries(Object(rendered)));
  if (!payload.has('call_disposition')) payload.set('call_disposition', call.disposition ?? '');
  return JSON.stringify(Object.fromEntries(payload));
}

/** The values that payload templates of a call can name. */
export function payloadVariablesOf({
  call,
  agentName,
  publicUrl,
}: {
  call: CallRow;
  agentName: string;
  publicUrl: string;
}): PayloadVariables {
  const { publicToken: token } = call;
  const link = (artifact: PublicArtifact, isThere: boolean) =>
    isThere && token !== null ? publicLink({ publicUrl, token, artifact }) : null;
  const isRecorded = call.recordedAt !== null;
  return payloadVariables({
    callId: call.id,
    callName: call.name,
    agentId: call.agentId,
    agentName,
    campaignId: call.campaignId,
    callTime: call.createdAt.toISOString(),
    initialContext: call.initialContext,
    gatheredContext: call.gatheredContext,
    usage: call.usage,
    annotations: call.annotations,
    extra: {},
    recordingUrl: link('recording', isRecorded),
    transcriptUrl: link('transcript', call.transcriptAvailable),
    userRecordingUrl: link('user_recording', isRecorded),
    botRecordingUrl: link('bot_recording', isRecorded),
  });
}
