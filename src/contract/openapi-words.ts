import type { oas31 } from 'zod-openapi';
import { commonWords, fieldWords, parameterWords } from './field-words.ts';

type Described = oas31.SchemaObject | oas31.ReferenceObject;

/** Adds descriptions from `field-words.ts` to fields and parameters that have none. */
export function withWords(document: oas31.OpenAPIObject): oas31.OpenAPIObject {
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {}))
    describeFields(schema, fieldWords[name] ?? {}, '');
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of [path.get, path.put, path.patch, path.post, path.delete])
      operation?.parameters?.forEach(describeParameter);
  }
  return document;
}

function describeFields(schema: Described, words: Readonly<Record<string, string>>, prefix: string): void {
  if ('$ref' in schema) return;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (!('$ref' in field)) {
      const description = words[`${prefix}${name}`] ?? commonWords[name];
      if (field.description === undefined && description !== undefined) field.description = description;
    }
    describeFields(field, words, `${prefix}${name}.`);
  }
  const inner = [
    schema.items,
    schema.additionalProperties,
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
  ];
  for (const each of inner) if (typeof each === 'object') describeFields(each, words, prefix);
}

function describeParameter(parameter: oas31.ParameterObject | oas31.ReferenceObject): void {
  if (!('$ref' in parameter)) parameter.description ??= parameterWords[parameter.name];
}
