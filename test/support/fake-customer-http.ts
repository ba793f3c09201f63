import type {
  CustomerHttpOutcome,
  CustomerHttpPort,
  CustomerRequest,
  CustomerStreamOutcome,
  CustomerStreamPort,
} from '../../src/providers/http/port.ts';

export interface FakeCustomerHttp extends CustomerHttpPort, CustomerStreamPort {
  /** Requests in order. */
  requests: CustomerRequest[];
  /** Outcomes in turn; the last one repeats. */
  answerWith(...outcomes: (CustomerHttpOutcome | (() => Promise<CustomerHttpOutcome>))[]): void;
}

/** An answer of a receiver. */
export function answered(
  statusCode: number,
  headers: Record<string, string> = {},
  bodyText = '',
): CustomerHttpOutcome {
  return { kind: 'answered', statusCode, headers, bodyText, truncated: false };
}

/** Customers' addresses without a network. */
export function createFakeCustomerHttp(): FakeCustomerHttp {
  const requests: CustomerRequest[] = [];
  let outcomes: Parameters<FakeCustomerHttp['answerWith']> = [answered(200)];
  const request = (asked: CustomerRequest): Promise<CustomerHttpOutcome> => {
    requests.push(asked);
    const outcome = (outcomes.length > 1 ? outcomes.shift() : outcomes[0]) ?? answered(200);
    return typeof outcome === 'function' ? outcome() : Promise.resolve(outcome);
  };
  return {
    requests,
    answerWith: (...next) => {
      outcomes = next;
    },
    request,
    open: async (asked) => opened(await request(asked)),
  };
}

function opened(outcome: CustomerHttpOutcome): CustomerStreamOutcome {
  if (outcome.kind !== 'answered') return outcome;
  return {
    kind: 'opened',
    statusCode: outcome.statusCode,
    headers: outcome.headers,
    body: bytesOf(outcome.bodyText),
  };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}
