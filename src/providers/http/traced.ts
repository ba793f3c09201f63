import { inSpan, type SpanEnd, type Tracing } from '../../runtime/tracing.ts';
import type { CustomerHttpOutcome, CustomerHttpPort, CustomerRequest } from './port.ts';

/**
 * The same client, with a span a request: method, host and what became of it. Path and query may hold anything and are left out.
 * The request carries `traceparent`, so that the customer's own trace goes on from here, unless it has one of its own.
 */
export function tracedHttp(http: CustomerHttpPort, tracing: Tracing): CustomerHttpPort {
  if (!tracing.isOn) return http;
  return {
    request: (request) => {
      const { method } = request;
      const start = { name: method, kind: 'client' as const, attributes: { 'http.request.method': method, ...serverOf(request) } };
      return inSpan(tracing, start, ({ traceparent }) => http.request({ ...request, headers: withTraceparent(request.headers, traceparent) }), judge);
    },
  };
}

function withTraceparent(headers: CustomerRequest['headers'], traceparent: string): CustomerRequest['headers'] {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'traceparent') ? headers : { ...headers, traceparent };
}

function serverOf({ url }: CustomerRequest): { 'server.address'?: string } {
  const host = URL.parse(url)?.hostname;
  return host === undefined || host === '' ? {} : { 'server.address': host };
}

function judge(outcome: CustomerHttpOutcome): SpanEnd {
  if (outcome.kind !== 'answered') return { failure: outcome.reason };
  const { statusCode } = outcome;
  return { attributes: { 'http.response.status_code': statusCode }, failure: statusCode >= 400 ? String(statusCode) : undefined };
}
