import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { createOpenApiDocument } from '../../../src/contract/openapi.ts';
import { fullPath } from '../../../src/contract/paths.ts';
import type { Route } from '../../../src/contract/route.ts';
import { routes } from '../../../src/contract/routes.ts';
import type { Schema } from './near-schema.ts';

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  schema: Schema;
}

/** One operation of the description: its parameters and its possible answers. */
export interface Operation {
  id: string;
  method: string;
  /** With parameters in braces. */
  path: string;
  auth: Route['auth'];
  parameters: Parameter[];
  /** The schema of a JSON body. */
  body: Schema | undefined;
  /** The media type of the body. */
  bodyType: string | undefined;
  /** By status. */
  answers: ReadonlyMap<number, DescribedAnswer>;
}

/** By media type; null if the body is not JSON. None = an answer without a body. */
export type DescribedAnswer = ReadonlyMap<string, ValidateFunction | null>;

export interface Description {
  operations: Operation[];
  resolve: (ref: string) => Schema;
  /** Whether an answer is an error in the declared shape for unknown operations. */
  isError: ValidateFunction;
}

/** Every operation of the route table, from the document that the API serves. */
export function readDescription(): Description {
  const document: unknown = JSON.parse(JSON.stringify(createOpenApiDocument()));
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'description', ...asObject(document) });
  const at = (pointer: string): Schema =>
    asObject(
      pointer
        .split('/')
        .slice(1)
        .reduce<unknown>((inner, key) => asObject(inner)[unescaped(key)], document),
    );
  const dereferenced = (pointer: string): string => {
    const { $ref } = at(pointer);
    return $ref === undefined ? pointer : dereferenced($ref.slice(1));
  };
  const operationOf = (route: Route): Operation => {
    const place = `/paths/${escaped(fullPath(route))}/${route.method}`;
    const { parameters = [], requestBody, responses } = asObject(at(place));
    const [bodyType] =
      requestBody === undefined ? [] : Object.keys(asObject(at(`${place}/requestBody/content`)));
    const list = Object.keys(asArray(parameters)).map((index) =>
      asParameter(at(dereferenced(`${place}/parameters/${index}`))),
    );
    const answer = (status: string): [number, DescribedAnswer] => {
      const answerPlace = dereferenced(`${place}/responses/${status}`);
      const { content = {} } = asObject(at(answerPlace));
      return [
        Number(status),
        new Map(
          Object.keys(asObject(content)).map((type) => [
            type,
            type === 'application/json'
              ? ajv.compile({ $ref: `description#${answerPlace}/content/${escaped(type)}/schema` })
              : null,
          ]),
        ),
      ];
    };
    return {
      id: route.id,
      method: route.method.toUpperCase(),
      path: fullPath(route),
      auth: route.auth,
      parameters: list,
      body:
        bodyType === 'application/json'
          ? at(`${place}/requestBody/content/application~1json/schema`)
          : undefined,
      bodyType,
      answers: new Map(Object.keys(asObject(responses)).map(answer)),
    };
  };
  return {
    operations: Object.values<Route>(routes).map(operationOf),
    resolve: (ref) => at(ref.slice(1)),
    isError: ajv.compile({ $ref: 'description#/components/schemas/Error' }),
  };
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const unescaped = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~');

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new TypeError('the description has no object here');
  return { ...value };
}

const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function asParameter(value: Record<string, unknown> | Schema): Parameter {
  const { in: place, name, schema } = asObject(value);
  if (place !== 'path' && place !== 'query' && place !== 'header')
    throw new TypeError(`the description has a parameter in ${String(place)}`);
  return { in: place, name: String(name), schema: asObject(schema) };
}
