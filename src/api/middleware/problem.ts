import type { ErrorRequestHandler } from 'express';
import {
  AppError,
  LimitError,
  UnavailableError,
  ValidationError,
  type ErrorCode,
} from '../../domain/errors.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { ValidationRecord } from '../../contract/lax/records.ts';
import { jsonReply, type Reply } from '../reply.ts';
import { send } from '../send.ts';
import { requestIdOf } from './request-id.ts';

/** Seconds after which a caller may ask again when a dependency is away. */
const retryAfterSeconds = 2;

interface Translation {
  status: number;
  /** Nothing of the message is told. */
  hidden?: boolean;
  /** Logged here, once: the failure is ours or the operator's to mend. */
  level?: 'warn' | 'error';
}

const translations = {
  validation: { status: 422 },
  unauthenticated: { status: 401 },
  forbidden: { status: 403 },
  not_found: { status: 404 },
  conflict: { status: 409 },
  precondition: { status: 409 },
  limit: { status: 429 },
  provider: { status: 502, level: 'warn' },
  unavailable: { status: 503, level: 'warn' },
  invariant: { status: 500, hidden: true, level: 'error' },
} satisfies Record<ErrorCode, Translation>;

const unknownTranslation: Translation = { status: 500, hidden: true, level: 'error' };

/** Faults that the transport itself finds; they have no code in the family of errors. */
export class TransportError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** The faults of a request: a 422 with records and nothing else (contract 0.3, 0.4). */
export const requestFaults = (records: ValidationRecord[]): ValidationError =>
  new ValidationError('The request is not valid', { detail: records });

/** The one translation of errors into answers (contract 0.3). */
export function problem({
  log,
  translate,
}: {
  log: Logger;
  translate: (error: unknown) => unknown;
}): ErrorRequestHandler {
  return (raised: unknown, _req, res, _next) => {
    const error = isMalformedPath(raised)
      ? new TransportError(404, 'not_found', 'Not Found')
      : translate(raised);
    const requestId = requestIdOf(res);
    const { level } = translationOf(error);
    if (level !== undefined && !res.destroyed) log[level]({ requestId, err: error }, 'Request failed');
    void send(res, toReply(error, requestId)); // a whole answer, so there is nothing to wait for
  };
}

function translationOf(error: unknown): Translation {
  if (error instanceof TransportError) return { status: error.status };
  return error instanceof AppError ? translations[error.code] : unknownTranslation;
}

/** The answer of an error; also what an idempotent request keeps. */
export function toReply(error: unknown, requestId: string): Reply {
  const { status, hidden = false } = translationOf(error);
  if (error instanceof TransportError)
    return jsonReply(
      status,
      { detail: error.message, code: error.code, request_id: requestId },
      error.headers,
    );
  if (!(error instanceof AppError) || hidden)
    return jsonReply(status, { detail: 'Internal Server Error', code: 'invariant', request_id: requestId });
  if (Array.isArray(error.detail)) return jsonReply(status, { detail: error.detail });
  return jsonReply(
    error.status ?? status,
    { detail: error.detail ?? error.message, code: error.code, request_id: requestId },
    retryHeaders(error),
  );
}

function retryHeaders(error: AppError): Readonly<Record<string, string>> {
  if (error instanceof LimitError)
    return { 'Retry-After': String(Math.max(1, Math.ceil(error.retryAfterMs / 1000))) };
  return error instanceof UnavailableError ? { 'Retry-After': String(retryAfterSeconds) } : {};
}

/**
 * The router's own complaint about a path whose percent signs do not decode: there is nothing at such a path.
 */
const isMalformedPath = (error: unknown): boolean => error instanceof URIError;
