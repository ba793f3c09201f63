import type { WebhookEndpointTest } from '../../../contract/webhook-endpoints.ts';
import { shownAddress } from '../../../domain/delivery/endpoint-health.ts';
import { isSecretHeader, maskSecret } from '../../../domain/delivery/masking.ts';
import { judgeStatus } from '../../../domain/delivery/outcome.ts';
import type { CustomerHttpOutcome } from '../../../providers/http/port.ts';
import { liveWebhookSecrets, resolveCredentialHeaders } from '../../identity/index.ts';
import { appendAudit, type ServiceContext, write } from '../../kernel/index.ts';
import type { DeliveryDeps } from '../deliveries/deps.ts';
import { openedHeaders } from '../deliveries/opened-headers.ts';
import { bodyOf, buildRequest } from '../deliveries/request.ts';
import { findEndpoint } from './find.ts';
import { toTestBody } from './mapper.ts';

export type EndpointTestDeps = Pick<DeliveryDeps, 'http' | 'secrets' | 'sign'>;

const timeoutMs = 10_000;
/** How many bytes of the answer are shown. */
const shownAnswerBytes = 1024;

/**
 * Sends one signed request to an endpoint, marked as a test, and returns what came of it. It is not a
 * delivery: it is not repeated, not stored, and does not turn the endpoint on or off. Throws NotFoundError.
 */
export async function testEndpoint({
  ctx,
  deps,
  input,
}: {
  ctx: ServiceContext;
  deps: EndpointTestDeps;
  input: { endpointKey: string };
}): Promise<WebhookEndpointTest> {
  const endpoint = await findEndpoint(ctx, input.endpointKey);
  const { agentId, nodeId, url, request } = endpoint;
  const of = { db: ctx.db, secrets: deps.secrets, organizationId: ctx.organizationId };
  const credential = await resolveCredentialHeaders({ ...of, credentialUuid: request.credentialUuid, url });
  const secrets = await liveWebhookSecrets(of);
  await write(ctx, (tx) =>
    appendAudit(tx, {
      action: 'webhook_endpoint.tested',
      subjectKind: 'webhook_endpoint',
      subjectId: null,
      subjectKey: endpoint.key,
      changes: { agentId, nodeId },
    }),
  );
  const [id, at] = [ctx.ids.uuid(), ctx.clock.now()];
  const credentialHeaders = credential.kind === 'headers' ? credential.headers : {};
  const { method } = request;
  const body = toTestBody(endpoint);
  const sent = buildRequest({
    deliveryUuid: id,
    callId: null,
    attempt: 1,
    method,
    url,
    body,
    customHeaders: openedHeaders(deps.secrets, request),
    credentialHeaders,
    at,
    signature: deps.sign({ id, at, body: bodyOf({ method, body }) ?? '', secrets }),
  });
  const begun = performance.now();
  const outcome =
    credential.kind === 'refused'
      ? credential
      : await deps.http.request({ ...sent, timeoutMs, maxResponseBytes: shownAnswerBytes });
  const secretNames = new Set(Object.keys(credentialHeaders).map((name) => name.toLowerCase()));
  return {
    ...resultOf(outcome),
    duration_ms: Math.round(performance.now() - begun),
    method,
    address: shownAddress(url),
    request_headers: Object.entries(sent.headers).map(([name, value]) => ({
      name,
      value: secretNames.has(name.toLowerCase()) || isSecretHeader(name) ? maskSecret(value) : value,
    })),
    request_body: sent.body,
  };
}

function resultOf(
  outcome: CustomerHttpOutcome,
): Pick<WebhookEndpointTest, 'status' | 'status_code' | 'error' | 'answer'> {
  if (outcome.kind !== 'answered')
    return { status: 'error', status_code: null, error: outcome.message, answer: null };
  const { statusCode, bodyText } = outcome;
  const isAccepted = judgeStatus(statusCode) === 'succeeded';
  return {
    status: isAccepted ? 'success' : 'error',
    status_code: statusCode,
    error: isAccepted ? null : `the endpoint answered ${statusCode}`,
    answer: bodyText,
  };
}
