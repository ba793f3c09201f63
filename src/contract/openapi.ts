import { createDocument, type oas31, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';
import { ErrorBody, HTTPValidationError } from './common.ts';
import { fullPath } from './paths.ts';
import type { Route, RouteAnswer } from './route.ts';
import { routes } from './routes.ts';

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

/** The answers that the transport adds to every route that can give them. */
function answersOf(route: Route): Record<string, RouteAnswer> {
  return {
    ...(route.auth === 'none' ? {} : { 401: { description: 'No credentials, or bad ones.', schema: ErrorBody }, 403: { description: 'The API key lacks the scope that this needs.', schema: ErrorBody } }),
    ...(route.body === undefined ? {} : { 413: { description: 'The body is larger than 1 MiB.', schema: ErrorBody } }),
    ...(route.params === undefined && route.query === undefined && route.headers === undefined && route.body === undefined
      ? {}
      : { 422: { description: 'Field faults.', schema: HTTPValidationError } }),
    ...(route.auth !== 'none' ? { 503: { description: 'A dependency is away; nothing was done. `Retry-After` says when to ask again.', schema: ErrorBody } } : {}),
    ...route.answers,
  };
}

function contentOf(answer: RouteAnswer) {
  if (answer.schema !== undefined) return { content: json(answer.schema) };
  return answer.mediaType === undefined ? {} : { content: { [answer.mediaType]: { schema: z.string() } } };
}

function parametersOf(route: Route) {
  return {
    ...(route.params === undefined ? {} : { path: objectOf(route.params) }),
    ...(route.query === undefined ? {} : { query: objectOf(route.query) }),
    ...(route.headers === undefined ? {} : { header: objectOf(route.headers) }),
  };
}

/** The object inside a lax record, whose fields become parameters. */
function objectOf(schema: z.ZodType): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodPipe && schema.out instanceof z.ZodObject) return schema.out;
  throw new TypeError('the parameters of a route are a record');
}

function securityOf({ auth, scope }: Route): Record<string, string[]>[] {
  switch (auth) {
    case 'key':
      return [{ apiKey: [scope] }, { authorization: [scope] }];
    case 'key_header':
      return [{ apiKey: [scope] }];
    case 'none':
      return [];
  }
}

function operationOf(route: Route): ZodOpenApiOperationObject {
  const parameters = parametersOf(route);
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security: securityOf(route),
    ...(Object.keys(parameters).length === 0 ? {} : { requestParams: parameters }),
    ...(route.body === undefined ? {} : { requestBody: { required: true, content: json(route.body) } }),
    responses: Object.fromEntries(Object.entries(answersOf(route)).map(([status, answer]) => [status, { description: answer.description, ...contentOf(answer) }])),
  };
}

function pathsOf(all: readonly Route[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of all) paths[fullPath(route)] = { ...paths[fullPath(route)], [route.method]: operationOf(route) };
  return paths;
}

/** The OpenAPI 3.1 document of the whole table; `info.version` is the interface version (interface document 9). */
export function createOpenApiDocument(): oas31.OpenAPIObject {
  return createDocument(
    {
      openapi: '3.1.1',
      info: { title: 'Parlance', version: '1.0.0', description: 'Voice agents: every call is one durable Temporal Workflow.', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      paths: pathsOf(Object.values(routes)),
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          authorization: { type: 'http', scheme: 'bearer', description: 'An API key as bearer token.' },
        },
      },
    },
    {
      allowEmptySchema: { custom: true, transform: true, unknown: true },
      // Answers may gain keys: a client must not be told that there will never be others.
      override: ({ jsonSchema, io }) => {
        if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    },
  );
}
