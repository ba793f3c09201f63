/**
 * The closed set of errors (docs/architecture.md, "Errors"). A message is safe to show to a client. Each
 * boundary translates them in exactly one place: `api/middleware/problem.ts` and `activities/failure.ts`.
 */

export const errorCodes = [
  'validation',
  'unauthenticated',
  'code_needed',
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
   * The wire's `detail`, if the contract defines something other than the message (graph errors, conflicts).
   */
  detail?: unknown;
  /**
   * The HTTP status, if the contract defines another one than the code's own (the docs of each throw name the
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

/** The client sent an invalid value; `detail` contains the wire records, if there are any. */
export class ValidationError extends AppError {
  constructor(message: string, options?: AppErrorOptions) {
    super('validation', message, options);
  }
}

/** Missing or invalid credentials. */
export class UnauthenticatedError extends AppError {
  constructor(message: string, options?: AppErrorOptions) {
    super('unauthenticated', message, options);
  }
}

/** The password is right, but the account also demands a one-time code. */
export class CodeNeededError extends AppError {
  constructor() {
    super('code_needed', 'Send the code of your authenticator app, or a recovery code, too');
  }
}

/** An authenticated client may not do this. */
export class ForbiddenError extends AppError {
  constructor(message: string, options?: AppErrorOptions) {
    super('forbidden', message, options);
  }
}

/** The object does not exist in the caller's organization. */
export class NotFoundError extends AppError {
  constructor(message: string, options?: AppErrorOptions) {
    super('not_found', message, options);
  }
}

/** A concurrent change or a taken name prevents this. */
export class ConflictError extends AppError {
  constructor(message: string, options?: AppErrorOptions) {
    super('conflict', message, options);
  }
}

/** The state of the object does not allow this. */
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

/** A limit of the organization's day is used up, until its next day. */
export class DayLimitError extends LimitError {}

/** The kind of a provider's failure, for metrics; `other` if unknown. */
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

/** The tokens that a request used before it failed, in the shape of the language model's port. */
export interface SpentTokens {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  cachedPromptTokens: number;
  estimated: boolean;
}

/**
 * A provider failed. `spent`: the tokens that the failed request used; null if there are none or they are
 * unknown. `retryable` says whether the same request may succeed later.
 */
export class ProviderError extends AppError {
  readonly provider: string;
  readonly retryable: boolean;
  readonly reason: ProviderFailureReason;
  readonly spent: SpentTokens | null;
  /** The wait that the provider asked for; null if it asked for none. */
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

/** MySQL, Temporal, the file storage or every media host is unavailable; nothing was partially done. */
export class UnavailableError extends AppError {
  readonly dependency: 'mysql' | 'temporal' | 'storage' | 'media' | 'voices';

  constructor(
    message: string,
    options: AppErrorOptions & { dependency: 'mysql' | 'temporal' | 'storage' | 'media' | 'voices' },
  ) {
    super('unavailable', message, options);
    this.dependency = options.dependency;
  }
}

/** A bug in this service. */
export class InvariantError extends AppError {
  constructor(message: string, options?: AppErrorOptions) {
    super('invariant', message, options);
  }
}
