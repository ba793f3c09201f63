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
import { jsonReply, type Reply } from '../answers/reply.ts';
import { send } from '../answers/send.ts';
import { requestIdOf } from './request-id.ts';

/** Value of `Retry-After` if a dependency is unavailable. */
const retryAfterSeconds = 2;

interface Translation {
  status: number;
  /** Whether the answer hides the message of the error. */
  hidden?: boolean;
  /** Log level, for failures that the operator has to fix. */
  level?: 'warn' | 'error';
}

const translations = {
  validation: { status: 422 },
  unauthenticated: { status: 401 },
  code_needed: { status: 401 },
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

/** Faults that the transport finds, with codes of their own. */
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

/** Makes the error of a request with faults: a 422 with records only (contract 0.3, 0.4). */
export const requestFaults = (records: ValidationRecord[]): ValidationError =>
  new ValidationError('The request is not valid', { detail: records });

/** Answers errors (contract 0.3), and logs those that the operator has to fix. */
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
    void send(res, toReply(error, requestId)); // not a stream, so it is written at once
  };
}

function translationOf(error: unknown): Translation {
  if (error instanceof TransportError) return { status: error.status };
  return error instanceof AppError ? translations[error.code] : unknownTranslation;
}

/** Converts an error to its answer, which an idempotent request may store. */
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

/** The router throws URIError for a path that does not decode. Such a path is unknown. */
const isMalformedPath = (error: unknown): boolean => error instanceof URIError;
