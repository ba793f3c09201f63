import type { CreateDocumentOptions } from 'zod-openapi';
import { z } from 'zod';

/**
 * Whether a request must have a field. Zod takes lax readers, which are transforms, for optional; the schema
 * behind the transform decides.
 */
export function isRequired(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodPipe && schema.in instanceof z.ZodTransform) return isRequired(schema.out);
  if (schema instanceof z.ZodNullable) return isRequired(schema.unwrap());
  if (schema instanceof z.ZodUnion) return schema.options.every((option) => isRequired(option));
  return schema._zod.optin === undefined;
}

type Override = NonNullable<CreateDocumentOptions['override']>;

/** Corrects the JSON Schema of zod where the service behaves differently. */
export const override: Override = ({ zodSchema, jsonSchema, io }) => {
  // Answers may gain keys in later releases.
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // The limits of JavaScript's integers are not rules of the service.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (io === 'output') return;
  if (zodSchema instanceof z.ZodObject) {
    const required = Object.keys(zodSchema.shape).filter((key) => isRequired(zodSchema.shape[key]));
    if (required.length > 0) jsonSchema.required = required;
  }
  // zod omits defaults of transforms. A default of null only means that the field is optional.
  if (zodSchema instanceof z.ZodDefault && zodSchema.def.defaultValue !== null)
    jsonSchema.default ??= structuredClone(zodSchema.def.defaultValue);
};

/** The object inside a lax record. Its fields become parameters, marked as required where they are. */
export function parametersOf(schema: z.ZodType): z.ZodObject {
  const object = schema instanceof z.ZodPipe ? schema.out : schema;
  if (!(object instanceof z.ZodObject)) throw new TypeError('the parameters of a route are a record');
  const shape: Readonly<Record<string, z.ZodType>> = object.shape;
  return z.object(
    Object.fromEntries(
      Object.entries(shape).map(([name, field]) => [
        name,
        isRequired(field) ? field.meta({ ...field.meta(), param: { required: true } }) : field,
      ]),
    ),
  );
}
