import { parse } from 'yaml';
import {
  isObject,
  type JsonObject,
  own,
  ownList,
  ownObject,
  ownText,
} from '../../../../src/domain/graph/definition.ts';
import { type ImportedTool, isSecretName, methodOf, NotImported } from './imported.ts';
import type { Parameter } from './tool-values.ts';

/** Types of JSON Schema that an argument can have. */
const valueTypes = ['string', 'integer', 'number', 'boolean', 'object', 'array'];
const verbs = ['get', 'post', 'put', 'patch', 'delete'];

/** The operations of an OpenAPI 3 or Swagger 2 document, JSON or YAML, as tools. Throws NotImported. */
export function readOpenApi(text: string): ImportedTool[] {
  const document = documentOf(text);
  const paths = Object.entries(ownObject(document, 'paths'));
  const tools = paths.flatMap(([path, item]) => {
    const shared = resolved(document, item);
    return verbs.flatMap((verb) => {
      const operation = own(shared, verb);
      return isObject(operation) ? [toolOf({ document, path, shared, verb, operation })] : [];
    });
  });
  if (tools.length === 0) throw new NotImported('no_operations');
  return tools;
}

function documentOf(text: string): JsonObject {
  try {
    const document: unknown = parse(text);
    if (isObject(document) && (own(document, 'openapi') ?? own(document, 'swagger')) !== undefined)
      return document;
  } catch {
    // Neither JSON nor YAML.
  }
  throw new NotImported('unreadable');
}

interface Found {
  document: JsonObject;
  path: string;
  shared: JsonObject;
  verb: string;
  operation: JsonObject;
}

function toolOf({ document, path, shared, verb, operation }: Found): ImportedTool {
  const method = methodOf(verb);
  const takesBody = method !== 'GET' && method !== 'DELETE';
  const given = [...ownList(shared, 'parameters'), ...ownList(operation, 'parameters')].map((each) =>
    resolved(document, each),
  );
  const named = (each: JsonObject) => ownText(each, 'name') ?? '';
  const placed = (place: string) =>
    given.filter((each) => ownText(each, 'in') === place && named(each) !== '');
  // The service sends arguments in the body or in the query, so the rest of the address is values of the call.
  const inAddress = takesBody
    ? placed('query')
        .filter(({ required }) => required === true)
        .map(named)
    : [];
  const query = inAddress.map((name) => `${name}={{${name}}}`).join('&');
  const headers = placed('header')
    .filter(({ required }) => required === true)
    .map(named);
  const parameters = takesBody
    ? bodyOf(document, operation, placed('body')[0])
    : placed('query').map((each) => argument(document, named(each), each, each['required'] === true));
  return {
    name: (ownText(operation, 'summary') ?? ownText(operation, 'operationId') ?? `${method} ${path}`).slice(
      0,
      255,
    ),
    description: ownText(operation, 'description') ?? ownText(operation, 'summary') ?? '',
    definition: {
      type: 'http_api',
      config: {
        method,
        url: `${hostOf(document, shared, operation)}${path.replaceAll(/\{([^}]+)\}/g, '{{$1}}')}${query === '' ? '' : `?${query}`}`,
        headers: Object.fromEntries(
          headers.filter((name) => !isSecretName(name)).map((name) => [name, `{{${name}}}`]),
        ),
        parameters,
      },
    },
    secrets: [...headers.filter((name) => isSecretName(name)), ...schemesOf(document, operation)],
    fromCall: [...[...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? ''), ...inAddress],
  };
}

/** Without a slash at the end; a document without a whole address leaves the host open. */
function hostOf(document: JsonObject, ...nearer: JsonObject[]): string {
  const server = [...nearer.toReversed(), document].flatMap((each) =>
    ownList(each, 'servers').filter(isObject),
  )[0];
  const variables = ownObject(server ?? {}, 'variables');
  const host = ownText(document, 'host');
  const url =
    ownText(server ?? {}, 'url')?.replaceAll(
      /\{([^}]+)\}/g,
      (whole, name: string) => ownText(ownObject(variables, name), 'default') ?? whole,
    ) ?? (host === undefined ? '' : `https://${host}${ownText(document, 'basePath') ?? ''}`);
  return (/^https?:\/\//.test(url) ? url : `https://api.example.com${url}`).replace(/\/$/, '');
}

/** Headers of the schemes that the operation needs, as people know them. */
function schemesOf(document: JsonObject, operation: JsonObject): string[] {
  const needed =
    own(operation, 'security') === undefined ? ownList(document, 'security') : ownList(operation, 'security');
  const schemes = {
    ...ownObject(document, 'securityDefinitions'),
    ...ownObject(ownObject(document, 'components'), 'securitySchemes'),
  };
  const names = needed.filter(isObject).flatMap((each) => Object.keys(each));
  return [
    ...new Set(
      names.map((name) => {
        const scheme = resolved(document, own(schemes, name));
        return ownText(scheme, 'type') === 'apiKey' ? (ownText(scheme, 'name') ?? name) : 'Authorization';
      }),
    ),
  ];
}

/** The arguments of a body: its properties, if it is an object. */
function bodyOf(document: JsonObject, operation: JsonObject, inSwagger: JsonObject | undefined): Parameter[] {
  const content = ownObject(resolved(document, own(operation, 'requestBody')), 'content');
  const json = Object.keys(content).find((type) => /[/+]json\b/.test(type)) ?? Object.keys(content)[0];
  const schema = own(inSwagger ?? ownObject(content, json ?? ''), 'schema');
  const { properties, required } = propertiesOf(document, schema);
  return Object.entries(properties).map(([name, property]) =>
    argument(document, name, { schema: property }, required.has(name)),
  );
}

function propertiesOf(
  document: JsonObject,
  schema: unknown,
  depth = 0,
): { properties: Record<string, unknown>; required: Set<unknown> } {
  const found = resolved(document, schema);
  const properties: Record<string, unknown> = { ...ownObject(found, 'properties') };
  const required = new Set<unknown>(ownList(found, 'required'));
  for (const part of depth > 8 ? [] : ownList(found, 'allOf')) {
    const inner = propertiesOf(document, part, depth + 1);
    Object.assign(properties, inner.properties);
    for (const name of inner.required) required.add(name);
  }
  return { properties, required };
}

function argument(document: JsonObject, name: string, given: JsonObject, required: boolean): Parameter {
  const schema = resolved(document, own(given, 'schema') ?? given);
  const named = [own(schema, 'type')].flat();
  const type = valueTypes.find((each) => named.includes(each));
  const choices = ownList(schema, 'enum').filter((each) => each !== null);
  return {
    name,
    type: type === 'integer' ? 'number' : (type ?? 'string'),
    description: [
      ownText(given, 'description') ?? ownText(schema, 'description') ?? '',
      choices.length === 0 ? '' : `One of: ${choices.map(String).join(', ')}`,
    ]
      .filter(Boolean)
      .join(' '),
    required,
  };
}

/** The object, or the one in this document that it refers to. */
function resolved(document: JsonObject, value: unknown): JsonObject {
  let found = value;
  for (let depth = 0; depth < 8 && isObject(found); depth += 1) {
    const reference = ownText(found, '$ref');
    if (reference === undefined) return found;
    found = reference.startsWith('#/')
      ? reference
          .slice(2)
          .split('/')
          .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
          .reduce<unknown>((at, key) => (isObject(at) ? own(at, key) : undefined), document)
      : undefined;
  }
  return {};
}
