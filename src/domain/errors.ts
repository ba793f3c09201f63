/**
 * The closed family of errors (docs/architecture.md, "Errors"). A message is safe to show to a caller;
 * each boundary has exactly one translation: `api/middleware/problem.ts` and `activities/failure.ts`.
 */

export const errorCodes = [
  'validation',
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'precondition',
  'limit',
  'provider',
  'unavailable',
  'invariant',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface AppErrorOptions {
  /**
   * Wire body of `detail` where the contract fixes something other than the message (graph errors,
   * conflicts).
   */
  detail?: unknown;
  /**
   * HTTP status where the contract fixes another one than the code's own (docs of each throw name the
   * section).
   */
  status?: number;
  cause?: unknown;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: unknown;
  readonly status: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.detail = options.detail;
    this.status = options.status;
  }
}

/** The caller sent something that cannot be accepted; `detail` holds the wire records when there are any. */
export class ValidationError extends AppError {
  constructor(message: string, options?: AppErrorOptions) {
    super('validation', message, options);
  }
}

/** No credentials, or credentials that prove nothing. */
export class UnauthenticatedError extends AppError {
  constructor(message: string, options?: AppErrorOptions) {
    super('unauthenticated', message, options);
  }
}

/** Known caller, forbidden act. */
export class ForbiddenError extends AppError {
  constructor(message: string, options?: AppErrorOptions) {
    super('forbidden', message, options);
  }
}

/** The thing does not exist in the caller's organization. */
export class NotFoundError extends AppError {
  constructor(message: string, options?: AppErrorOptions) {
    super('not_found', message, options);
  }
}

/** Somebody else's change or a taken name stands in the way. */
export class ConflictError extends AppError {
  constructor(message: string, options?: AppErrorOptions) {
    super('conflict', message, options);
  }
}

/** The state of the thing forbids the act. */
export class PreconditionError extends AppError {
  constructor(message: string, options?: AppErrorOptions) {
    super('precondition', message, options);
  }
}

/** A limit was reached; the same request may pass after `retryAfterMs`. */
export class LimitError extends AppError {
  readonly retryAfterMs: number;

  constructor(message: string, options: AppErrorOptions & { retryAfterMs: number }) {
    super('limit', message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** What a vendor's failure was like, for those who count failures; `other` where nobody said. */
export type ProviderFailureReason =
  | 'aborted'
  | 'timeout'
  | 'unreachable'
  | 'lost'
  | 'unreadable'
  | 'refused_key'
  | 'rate_limit'
  | 'client_error'
  | 'server_error'
  | 'other';

/** What a request used before it failed; the shape is that of the language model's port. */
export interface SpentTokens {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  cachedPromptTokens: number;
  estimated: boolean;
}

/**
 * A vendor failed. `spent`: what the failed request used all the same; null where that is nothing or unknown.
 * `retryable` says whether the same request may succeed later.
 */
export class ProviderError extends AppError {
  readonly provider: string;
  readonly retryable: boolean;
  readonly reason: ProviderFailureReason;
  readonly spent: SpentTokens | null;
  /** The vendor asked to be left alone for so long; null when it did not say. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    options: AppErrorOptions & {
      provider: string;
      retryable: boolean;
      reason?: ProviderFailureReason;
      spent?: SpentTokens | null;
      retryAfterMs?: number | null;
    },
  ) {
    super('provider', message, options);
    this.provider = options.provider;
    this.retryable = options.retryable;
    this.reason = options.reason ?? 'other';
    this.spent = options.spent ?? null;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** MySQL, Temporal, the file storage or every media host is away; nothing was half done. */
export class UnavailableError extends AppError {
  readonly dependency: 'mysql' | 'temporal' | 'storage' | 'media';

  constructor(
    message: string,
    options: AppErrorOptions & { dependency: 'mysql' | 'temporal' | 'storage' | 'media' },
  ) {
    super('unavailable', message, options);
    this.dependency = options.dependency;
  }
}

/** A bug of ours. */
export class InvariantError extends AppError {
  constructor(message: string, options?: AppErrorOptions) {
    super('invariant', message, options);
  }
}
