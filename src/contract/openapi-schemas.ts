import type { CreateDocumentOptions } from 'zod-openapi';
import { z } from 'zod';

/**
 * Whether a request must have a field. Lax readers are transforms, of which zod thinks that nothing need be
 * there; what they read into says it.
 */
export function isRequired(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodPipe && schema.in instanceof z.ZodTransform) return isRequired(schema.out);
  if (schema instanceof z.ZodNullable) return isRequired(schema.unwrap());
  if (schema instanceof z.ZodUnion) return schema.options.every((option) => isRequired(option));
  return schema._zod.optin === undefined;
}

type Override = NonNullable<CreateDocumentOptions['override']>;

/** Mends what zod says of a schema where that is not what the service does. */
export const override: Override = ({ zodSchema, jsonSchema, io }) => {
  // Answers may gain keys: a client must not be told that there will never be others.
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // Bounds of what JavaScript can count to are nobody's rule.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (io === 'output') return;
  if (zodSchema instanceof z.ZodObject) {
    const required = Object.keys(zodSchema.shape).filter((key) => isRequired(zodSchema.shape[key]));
    if (required.length > 0) jsonSchema.required = required;
  }
  // zod keeps defaults of transforms to itself; null says no more than that the field may be left out.
  if (zodSchema instanceof z.ZodDefault && zodSchema.def.defaultValue !== null)
    jsonSchema.default ??= structuredClone(zodSchema.def.defaultValue);
};

/** The object inside a lax record, whose fields become parameters; those that must be there say so. */
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
