import type { WebhookPreview } from '../../../contract/webhook-endpoints.ts';
import { findRow } from '../../../db/rows.ts';
import { calls } from '../../../db/tables/calls.ts';
import { shownAddress } from '../../../domain/delivery/endpoint-health.ts';
import { NotFoundError, PreconditionError } from '../../../domain/errors.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { findEndpoint, shownHeaders } from '../../webhooks/index.ts';
import { payloadOf, payloadVariablesOf } from './webhook-payload.ts';

/**
 * The request that the published webhook of an endpoint would send for a past call of its agent. Nothing is
 * sent or stored. Throws NotFoundError, PreconditionError if no published webhook sends to the endpoint, the
 * call has not begun, or its values were erased.
 */
export async function previewWebhook({
  ctx,
  publicUrl,
  input,
}: {
  ctx: ServiceContext;
  publicUrl: string;
  input: { endpointKey: string; callId: number };
}): Promise<WebhookPreview> {
  const { node, agentId, agentName, url } = await findEndpoint(ctx, input.endpointKey);
  const call = await findRow(ctx.db, calls, {
    id: input.callId,
    agentId,
    organizationId: ctx.organizationId,
  });
  if (call === null) throw new NotFoundError('Workflow run not found');
  if (node === null)
    throw new PreconditionError('The published version of the workflow does not send to this endpoint');
  if (call.startedAt === null) throw new PreconditionError('The run has not begun');
  if (call.variablesErasedAt !== null) throw new PreconditionError('The values of the run were erased');
  return {
    run_id: call.id,
    method: node.method,
    address: shownAddress(url),
    request_headers: shownHeaders({
      deliveryUuid: null,
      callId: call.id,
      customHeaders: node.customHeaders,
      credentialHeaders: {},
    }),
    body: payloadOf(node, call, payloadVariablesOf({ call, agentName, publicUrl })),
  };
}
