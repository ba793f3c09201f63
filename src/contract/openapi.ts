import {
  createDocument,
  type oas31,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiRequestBodyObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { z } from 'zod';
import { answersOf, limitHeaders, takesKey } from './answers.ts';
import { readExampleAnswers } from './example-answers.ts';
import { resolved, type Example, type ExampleAnswers } from './example.ts';
import { examples } from './examples.ts';
import { introduction, securitySchemes, tags } from './openapi-text.ts';
import { override, parametersOf } from './openapi-schemas.ts';
import { withWords } from './openapi-words.ts';
import { fullPath } from './paths.ts';
import { groupOf } from './request-groups.ts';
import { isDownload, type Route, type RouteAnswer } from './route.ts';
import { routes } from './routes.ts';
import { webhooks } from './webhook-message.ts';

/** On every answer (contract 0.3). */
const requestIdHeader = z.string().meta({
  description:
    "Id of the request, also in the logs. It is the caller's own id if the request had one of 1 to 128 visible ASCII characters.",
  header: { id: 'X-Request-Id' },
});
const replayedHeader = z
  .literal('true')
  .optional()
  .meta({
    description: 'Present if this is the answer to an earlier request with the same `Idempotency-Key`.',
    header: { id: 'Idempotent-Replayed' },
  });
const tagHeader = z.string().meta({
  description:
    'Strong entity tag of the record, for `If-None-Match` and `If-Match`. It changes with each change of the record.',
  header: { id: 'ETag' },
});

type Examples = Record<string, { summary: string; value: unknown }>;

const named = (values: Readonly<Record<string, unknown>>): Examples =>
  Object.fromEntries(
    Object.entries(values).map(([summary, value], index) => [`example${index + 1}`, { summary, value }]),
  );

/** The example of one operation, with recorded answers. */
interface Shown extends ExampleAnswers {
  example: Example;
  /** The recorded answers of all operations, for `from` in examples. */
  story: Readonly<Record<string, ExampleAnswers>>;
}

function requestExamples(
  summary: string,
  { example: { request, otherRequests = {} }, story }: Shown,
): { examples?: Examples } {
  return request === undefined
    ? {}
    : {
        examples: named(
          Object.fromEntries(
            Object.entries({ [summary]: request, ...otherRequests }).map(([words, body]) => [
              words,
              resolved(body, story),
            ]),
          ),
        ),
      };
}

const isSuccess = (status: string): boolean => status === '200' || status === '202';

function answerExamples(
  status: string,
  answer: RouteAnswer,
  { answer: success, refusals = {} }: Shown,
): { examples?: Examples } {
  const value = isSuccess(status) ? success : (refusals[status] ?? answer.example);
  return value === undefined ? {} : { examples: named({ [answer.description]: value }) };
}

function contentOf(
  status: string,
  answer: RouteAnswer,
  shown: Shown,
): Pick<ZodOpenApiResponseObject, 'content'> {
  const examples = answerExamples(status, answer, shown);
  if (answer.schema !== undefined)
    return { content: { 'application/json': { schema: answer.schema, ...examples } } };
  return answer.mediaType === undefined
    ? {}
    : { content: { [answer.mediaType]: { schema: z.string(), ...examples } } };
}

/** The headers of an answer: its own, the request id, and those of the transport. */
function headersOf(status: string, answer: RouteAnswer, route: Route) {
  const isTagged = route.taggedAs !== undefined && (status === '200' || status === '304');
  const isKept = isSuccess(status) && takesKey(route);
  const isLimited = groupOf(route) !== null && /^[23]/.test(status);
  return {
    headers: z.object({
      'X-Request-Id': requestIdHeader,
      ...(isTagged ? { ETag: tagHeader } : {}),
      ...(isKept ? { 'Idempotent-Replayed': replayedHeader } : {}),
      ...(isLimited ? limitHeaders : {}),
      ...answer.headers,
    }),
  };
}

/** Answers with an id become shared components. `seen` has those that already exist. */
function responsesOf(
  route: Route,
  shown: Shown,
  seen: Map<RouteAnswer, ZodOpenApiResponseObject>,
): ZodOpenApiOperationObject['responses'] {
  const response = ([status, answer]: [string, RouteAnswer]): [string, ZodOpenApiResponseObject] => {
    const made = seen.get(answer) ?? {
      ...(answer.id === undefined ? {} : { id: answer.id }),
      description: answer.description,
      ...headersOf(status, answer, route),
      ...contentOf(status, answer, shown),
    };
    if (answer.id !== undefined) seen.set(answer, made);
    return [status, made];
  };
  return Object.fromEntries(Object.entries(answersOf(route)).map(response));
}

function requestParamsOf({ params, query, headers }: Route) {
  return {
    ...(params === undefined ? {} : { path: parametersOf(params) }),
    ...(query === undefined ? {} : { query: parametersOf(query) }),
    ...(headers === undefined ? {} : { header: parametersOf(headers) }),
  };
}

function securityOf(route: Route): Record<string, string[]>[] {
  const { auth, scope } = route;
  switch (auth) {
    case 'key':
      return [
        { apiKey: [scope] },
        { authorization: [scope] },
        ...(isDownload(route) ? [{ downloadTicket: [scope] }] : []),
      ];
    case 'key_header':
      return [{ apiKey: [scope] }];
    case 'none':
      return [];
  }
}

const scopeNote = ({ scope }: Route): string => (scope === undefined ? '' : ` Scope: \`${scope}\`.`);

/** A file alone, or in a form. */
function fileBodyOf({ form }: Route): ZodOpenApiRequestBodyObject['content'] {
  return form === undefined
    ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
    : { 'multipart/form-data': { schema: form } };
}

function operationOf(
  route: Route,
  shown: Shown,
  seen: Map<RouteAnswer, ZodOpenApiResponseObject>,
): ZodOpenApiOperationObject {
  const requestParams = requestParamsOf(route);
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: `${route.description}${scopeNote(route)}`,
    security: securityOf(route),
    ...(Object.keys(requestParams).length === 0 ? {} : { requestParams }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: route.body, ...requestExamples(route.summary, shown) } },
          },
        }),
    ...(route.bytes === true ? { requestBody: { required: true, content: fileBodyOf(route) } } : {}),
    responses: responsesOf(route, shown, seen),
  };
}

function pathsOf(): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  const seen = new Map<RouteAnswer, ZodOpenApiResponseObject>();
  const all: Readonly<Record<string, Route>> = routes;
  const byName: Readonly<Record<string, Example | undefined>> = examples;
  const story = readExampleAnswers();
  for (const [name, route] of Object.entries(all)) {
    const operation = operationOf(route, { example: byName[name] ?? {}, ...story[name], story }, seen);
    paths[fullPath(route)] = { ...paths[fullPath(route)], [route.method]: operation };
  }
  return paths;
}

/** The OpenAPI 3.1 document. `info.version` is the version of the interface (contract 0.2). */
export function createOpenApiDocument(): oas31.OpenAPIObject {
  return withWords(
    createDocument(
      {
        openapi: '3.1.1',
        info: {
          title: 'Parlance',
          version: '1.0.0',
          description: introduction,
          license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        },
        servers: [{ url: 'http://localhost:8000', description: 'Default address of `npm start`.' }],
        tags,
        paths: pathsOf(),
        webhooks,
        // guarantee: description-passes-linter
        components: { securitySchemes },
      },
      { allowEmptySchema: { custom: true, transform: true, unknown: true }, override },
    ),
  );
}
