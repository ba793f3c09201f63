import { takesBody } from '../../../domain/delivery/method.ts';
import type { CustomerRequest } from '../../../providers/http/port.ts';

/** The parts of one attempt's request; `body` was fixed when the call ended. */
export interface RequestParts {
  deliveryUuid: string;
  /** Null for a test of the endpoint, which is of no call. */
  callId: number | null;
  attempt: number;
  method: string;
  url: string;
  body: string | null;
  customHeaders: readonly { key: string; value: string }[];
  credentialHeaders: Readonly<Record<string, string>>;
  at: Date;
  /** Value of `webhook-signature`; empty when the organization has no secret. */
  signature: string;
}

/** The body to send and sign; null for GET and DELETE (contract 9.2). */
export function bodyOf({ method, body }: { method: string; body: string | null }): string | null {
  return takesBody(method) ? body : null;
}

/**
 * Method, URL, headers and body of one attempt (contract 9.2). Our own headers override custom headers of the
 * same name.
 */
export function buildRequest(
  parts: RequestParts,
): Pick<CustomerRequest, 'method' | 'url' | 'headers' | 'body'> {
  return {
    method: parts.method,
    url: parts.url,
    headers: mergeHeaders([
      standingHeaders(parts),
      parts.callId === null
        ? { 'X-Dograh-Test': 'true' }
        : { 'X-Dograh-Delivery-Attempt': String(parts.attempt) },
      signingHeaders(parts),
    ]),
    body: bodyOf(parts),
  };
}

/** The headers that stay the same for all attempts, unless the credential changes. */
export function standingHeaders({
  deliveryUuid,
  callId,
  customHeaders,
  credentialHeaders,
}: Pick<RequestParts, 'callId' | 'customHeaders' | 'credentialHeaders'> & {
  /** Null before there is a delivery. */
  deliveryUuid: string | null;
}): Record<string, string> {
  return mergeHeaders([
    { 'Content-Type': 'application/json' },
    ...customHeaders.filter(({ key }) => key !== '').map(({ key, value }) => ({ [key]: value })),
    credentialHeaders,
    deliveryUuid === null ? {} : { 'X-Dograh-Delivery-Id': deliveryUuid },
    callId === null ? {} : { 'X-Dograh-Workflow-Run-Id': String(callId) },
    deliveryUuid === null ? {} : { 'webhook-id': deliveryUuid },
  ]);
}

/** Standard Webhooks: the id never changes; the timestamp is this attempt's. */
function signingHeaders({ at, signature }: RequestParts): Record<string, string> {
  return {
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    // guarantee: webhook-signed-with-each-secret
    ...(signature === '' ? {} : { 'webhook-signature': signature }),
  };
}

/** Merges headers; later ones override earlier ones, and names are case-insensitive. */
function mergeHeaders(groups: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const merged = new Map<string, [string, string]>();
  for (const group of groups)
    for (const [name, value] of Object.entries(group)) merged.set(name.toLowerCase(), [name, value]);
  return Object.fromEntries(merged.values());
}
