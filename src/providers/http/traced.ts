import { inSpan, type SpanEnd, type Tracing } from '../../runtime/tracing.ts';
import type {
  CustomerHttpOutcome,
  CustomerHttpPort,
  CustomerRequest,
  CustomerStreamOutcome,
  CustomerStreamPort,
} from './port.ts';

/**
 * The same client, with a span a request: method, host and what became of it. Path and query may hold
 * anything and are left out. The request carries `traceparent`, so that the customer's own trace goes on from
 * here, unless it has one of its own.
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
    // The span ends with the answer's headers; what reads the body has a span of its own.
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
