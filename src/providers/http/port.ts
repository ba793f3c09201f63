/**
 * HTTP to addresses that customers chose (webhooks, later pre-call fetch and tools). Every outcome is a
 * value: `refused` means our rules forbid the request and nothing was sent, `failed` means no usable answer
 * came, `answered` is any HTTP status.
 */
export interface CustomerHttpPort {
  request(request: CustomerRequest): Promise<CustomerHttpOutcome>;
}

/** The same, for answers that are read while they come. */
export interface CustomerStreamPort {
  /** Follows no redirect. `timeoutMs` and `maxResponseBytes` bound the body too. */
  open(request: Omit<CustomerRequest, 'maxRedirects'>): Promise<CustomerStreamOutcome>;
}

export interface CustomerRequest {
  method: string;
  /** As the customer wrote it; parsed and judged here. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Sent byte for byte as UTF-8; `null` sends no body. */
  body: string | null;
  /** The whole time: look-up, connection, answer. */
  timeoutMs: number;
  /** Of the answer's body; reading stops there. */
  maxResponseBytes: number;
  /**
   * Followed at most so often, each address judged anew; none when absent. The time is for all of them
   * together.
   */
  maxRedirects?: number;
  signal?: AbortSignal | undefined;
}

export type CustomerHttpOutcome = Answered | Refused | Failed;

export interface Answered {
  kind: 'answered';
  statusCode: number;
  /** Names in lower case; a repeated header is joined by a comma. */
  headers: Readonly<Record<string, string>>;
  /** The start of the body as text; empty when it came compressed although we asked for none. */
  bodyText: string;
  /** True when the body was longer, slower or stranger than `bodyText` shows. */
  truncated: boolean;
}

export type CustomerStreamOutcome = Opened | Refused | Failed;

/** An answer has begun. */
export interface Opened {
  kind: 'opened';
  statusCode: number;
  /** As those of `Answered`. */
  headers: Readonly<Record<string, string>>;
  /**
   * Ends early, without a fault, at the limit of bytes; throws TypeError when the connection is lost or time
   * is over. Read it or leave it by `return`.
   */
  body: AsyncGenerator<Uint8Array>;
}

export type RefusalReason =
  | 'url_invalid'
  | 'url_too_long'
  | 'scheme_not_allowed'
  | 'credentials_in_url'
  | 'port_not_allowed'
  | 'address_not_allowed'
  | 'header_not_allowed'
  | 'method_not_allowed';

/** `message` can be shown to the customer: it names no resolved address and no header value. */
export interface Refused {
  kind: 'refused';
  reason: RefusalReason;
  message: string;
}

export type FailureReason =
  | 'timeout'
  | 'connect_timeout'
  | 'dns'
  | 'tls'
  | 'network'
  | 'answer_invalid'
  | 'aborted';

/** `message` can be shown to the customer. */
export interface Failed {
  kind: 'failed';
  reason: FailureReason;
  message: string;
}
