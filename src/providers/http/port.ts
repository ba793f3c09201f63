/**
 * HTTP to URLs that customers chose (webhooks, pre-call fetch, tools, models). Every outcome is a value:
 * `refused` means that our rules forbid the request and nothing was sent, `failed` means that there was no
 * usable answer, `answered` is any HTTP status.
 */
export interface CustomerHttpPort {
  request(request: CustomerRequest): Promise<CustomerHttpOutcome>;
}

/** HTTP to URLs that customers chose, for answers that are read as a stream. */
export interface CustomerStreamPort {
  /** Follows no redirect. `timeoutMs` and `maxResponseBytes` limit the body, too. */
  open(request: Omit<CustomerRequest, 'maxRedirects'>): Promise<CustomerStreamOutcome>;
}

export interface CustomerRequest {
  method: string;
  /** The URL as the customer wrote it; parsed and judged here. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Sent byte for byte as UTF-8; `null` sends no body. */
  body: string | null;
  /** Timeout of the whole request: look-up, connection, answer. */
  timeoutMs: number;
  /** Maximum length of the answer's body; reading stops there. */
  maxResponseBytes: number;
  /**
   * Maximum number of redirects to follow; none if absent. Each URL is judged. The timeout includes them all.
   */
  maxRedirects?: number;
  signal?: AbortSignal | undefined;
}

export type CustomerHttpOutcome = Answered | Refused | Failed;

export interface Answered {
  kind: 'answered';
  statusCode: number;
  /** Names in lower case; the values of a repeated header are joined by commas. */
  headers: Readonly<Record<string, string>>;
  /** The start of the body as text; empty for a compressed body, which we do not accept. */
  bodyText: string;
  /** True if `bodyText` is not the whole body: it was too long, broke off or was compressed. */
  truncated: boolean;
}

export type CustomerStreamOutcome = Opened | Refused | Failed;

/** An answer whose body is still to be read. */
export interface Opened {
  kind: 'opened';
  statusCode: number;
  /** The same form as in `Answered`. */
  headers: Readonly<Record<string, string>>;
  /**
   * Ends early, without an error, at the maximum length; throws TypeError if the connection is lost or the
   * request times out. The caller must read it to the end or call `return`.
   */
  body: AsyncGenerator<Uint8Array>;
}

export type RefusalReason =
  | 'url_invalid'
  | 'url_too_long'
  | 'scheme_not_allowed'
  | 'credentials_in_url'
  | 'credential_not_for_host'
  | 'port_not_allowed'
  | 'address_not_allowed'
  | 'header_not_allowed'
  | 'method_not_allowed';

/** `message` may be shown to the customer: it contains no resolved address and no header value. */
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

/** `message` may be shown to the customer. */
export interface Failed {
  kind: 'failed';
  reason: FailureReason;
  message: string;
}
