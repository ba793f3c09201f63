import { z } from 'zod';
import { ErrorBody, HTTPValidationError, retryAfter } from './common.ts';
import { groupOf } from './request-groups.ts';
import type { Route, RouteAnswer } from './route.ts';

/** An id as in `X-Request-Id`, for examples. */
const requestId = '2f1d9c3e-7a55-4c0e-9f0b-6f5f0f6f2a10';

/** The body of a text error, for examples. */
export const errorExample = (detail: string, code: string) => ({ detail, code, request_id: requestId });

/** The request limits that a request counted against. Absent if the installation sets none. */
export const limitHeaders = {
  'RateLimit-Policy': z
    .string()
    .optional()
    .meta({
      description:
        'Limits that the request counts against: maximum requests (`q`) per window in seconds (`w`).',
      examples: ['"key_reads";q=3000;w=60, "organization_reads";q=6000;w=60'],
      header: { id: 'RateLimit-Policy' },
    }),
  RateLimit: z
    .string()
    .optional()
    .meta({
      description: 'Remaining requests (`r`) and seconds until the window ends (`t`), for each limit.',
      examples: ['"key_reads";r=2999;t=60, "organization_reads";r=5990;t=31'],
      header: { id: 'RateLimit' },
    }),
};

const unauthenticated: RouteAnswer = {
  id: 'Unauthenticated',
  description: 'Missing or invalid credentials.',
  schema: ErrorBody,
  example: errorExample('Invalid or expired API key', 'unauthenticated'),
};
const forbidden: RouteAnswer = {
  id: 'Forbidden',
  description: 'The API key, or the role of the signed-in user, lacks the required scope.',
  schema: ErrorBody,
  example: errorExample('This API key lacks the scope agents:write', 'forbidden'),
};
const unreadable: RouteAnswer = {
  id: 'Unreadable',
  description: 'The body is not UTF-8 or is nested deeper than 500 levels.',
  schema: ErrorBody,
  example: errorExample('There was an error parsing the body', 'unreadable_body'),
};
const tooLarge: RouteAnswer = {
  id: 'TooLarge',
  description: 'The body is larger than 1 MiB.',
  schema: ErrorBody,
  example: errorExample('Request body too large', 'body_too_large'),
};
const failed: RouteAnswer = {
  id: 'ServerError',
  description: 'An internal error. The log of the service has the details under the `request_id`.',
  schema: ErrorBody,
  example: errorExample('Internal Server Error', 'invariant'),
};

const unavailable: RouteAnswer = {
  id: 'Unavailable',
  description: 'A dependency is unavailable. The request had no effect. Retry after `Retry-After` seconds.',
  schema: ErrorBody,
  headers: { 'Retry-After': retryAfter },
  example: errorExample('The database is not available', 'unavailable'),
};

const tooMany: RouteAnswer = {
  id: 'TooMany',
  description: 'Too many requests. Retry after `Retry-After` seconds.',
  schema: ErrorBody,
  headers: { ...limitHeaders, 'Retry-After': retryAfter },
  example: errorExample(
    'Too many requests: this API key has had 3000 reads in 60 s; try again in 12 s',
    'limit',
  ),
};

const stillRunning: RouteAnswer = {
  id: 'StillRunning',
  description:
    'The first request with this `Idempotency-Key` is still running. Retry after `Retry-After` seconds.',
  schema: ErrorBody,
  headers: { 'Retry-After': retryAfter },
  example: errorExample('The first request with this Idempotency-Key is still running', 'limit'),
};

/** For routes that have a 409 of their own, which comes without `Retry-After`. */
// guarantee: fuzzer-finds-no-undeclared-answer
const stillRunningAmongOthers: RouteAnswer = {
  ...stillRunning,
  headers: {
    'Retry-After': retryAfter
      .optional()
      .meta({ description: 'Whole seconds. Only if the first request is still running.' }),
  },
};

const fieldFaults: RouteAnswer = {
  id: 'FieldFaults',
  description: 'All field faults of the request, in declaration order.',
  schema: HTTPValidationError,
  example: { detail: [{ type: 'missing', loc: ['body', 'name'], msg: 'Field required', input: {} }] },
};

/** Whether the route accepts an `Idempotency-Key`. */
export const takesKey = ({ headers }: Route): boolean =>
  headers instanceof z.ZodPipe &&
  headers.out instanceof z.ZodObject &&
  Object.hasOwn(headers.out.shape, 'Idempotency-Key');
const hasFields = ({ params, query, headers, body }: Route): boolean =>
  [params, query, headers, body].some((part) => part !== undefined);

/** All answers of a route by status: its own, and those of the transport (contract 0.2, 0.3, 5.1). */
export function answersOf(route: Route): Record<string, RouteAnswer> {
  const own: Readonly<Record<number, RouteAnswer>> = route.answers;
  return {
    ...(route.auth === 'none' ? {} : { 401: unauthenticated, 403: forbidden }),
    ...(hasFields(route) || route.auth !== 'none' ? { 503: unavailable } : {}),
    500: failed,
    ...own,
    ...(groupOf(route) === null ? {} : { 429: either(own[429], tooMany) }),
    ...(hasFields(route) ? { 422: either(own[422], fieldFaults) } : {}),
    ...(route.body === undefined ? {} : { 400: either(own[400], unreadable), 413: tooLarge }),
    ...(takesKey(route)
      ? { 409: own[409] === undefined ? stillRunning : either(own[409], stillRunningAmongOthers) }
      : {}),
  };
}

/** One status with two meanings: the route's own, and the common one. */
function either(own: RouteAnswer | undefined, common: RouteAnswer): RouteAnswer {
  if (own === undefined) return common;
  const headers = { ...common.headers, ...own.headers };
  const description =
    common === fieldFaults ? own.description : `${own.description} Or: ${common.description}`;
  return { ...own, headers, description, schema: schemaOfBoth(own.schema, common.schema) };
}

function schemaOfBoth(own: z.ZodType = ErrorBody, common: z.ZodType = ErrorBody): z.ZodType {
  const isCovered = own === common || (own instanceof z.ZodUnion && own.options.includes(common));
  return isCovered ? own : z.union([common, own]);
}
