import { inSpan, type SpanEnd, type Tracing } from '../../runtime/tracing.ts';
import type {
  CustomerHttpOutcome,
  CustomerHttpPort,
  CustomerRequest,
  CustomerStreamOutcome,
  CustomerStreamPort,
} from './port.ts';

/**
 * Wraps a client with one span per request: method, host and outcome. Leaves out path and query, which may
 * contain secrets. Adds `traceparent` unless the request has its own, so that the customer's trace continues
 * ours.
 */
export function tracedHttp(
  http: CustomerHttpPort & CustomerStreamPort,
  tracing: Tracing,
): CustomerHttpPort & CustomerStreamPort {
  if (!tracing.isOn) return http;
  const traced = async <
    Outcome extends CustomerHttpOutcome | CustomerStreamOutcome,
    Asked extends Omit<CustomerRequest, 'maxRedirects'>,
  >(
    request: Asked,
    send: (request: Asked) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const { method } = request;
    const start = {
      name: method,
      kind: 'client' as const,
      attributes: { 'http.request.method': method, ...serverOf(request) },
    };
    return await inSpan(
      tracing,
      start,
      ({ traceparent }) => send({ ...request, headers: withTraceparent(request.headers, traceparent) }),
      judge,
    );
  };
  return {
    request: (request) => traced(request, (each) => http.request(each)),
    // The span ends with the answer's headers; the reader of the body has its own span.
    open: (request) => traced(request, (each) => http.open(each)),
  };
}

function withTraceparent(
  headers: CustomerRequest['headers'],
  traceparent: string,
): CustomerRequest['headers'] {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'traceparent')
    ? headers
    : { ...headers, traceparent };
}

function serverOf({ url }: Pick<CustomerRequest, 'url'>): { 'server.address'?: string } {
  const host = URL.parse(url)?.hostname;
  return host === undefined || host === '' ? {} : { 'server.address': host };
}

function judge(outcome: CustomerHttpOutcome | CustomerStreamOutcome): SpanEnd {
  if (outcome.kind !== 'answered' && outcome.kind !== 'opened') return { failure: outcome.reason };
  const { statusCode } = outcome;
  return {
    attributes: { 'http.response.status_code': statusCode },
    failure: statusCode >= 400 ? String(statusCode) : undefined,
  };
}
