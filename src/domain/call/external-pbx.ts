import type { ExternalPbxFieldMapping } from '../agents/settings.ts';
import type { JsonObject } from '../graph/definition.ts';
import { lookUp, textOf } from '../template/variables.ts';

const prefix = 'gathered_context.';

/**
 * Values of a call for the fields of the customer's PBX (contract 3.2): each mapping of the pinned version's
 * settings reads its path from gathered_context. Absent and empty values are left out. Null when the settings
 * have no mapping.
 */
export function externalPbxFields(
  mappings: readonly ExternalPbxFieldMapping[],
  gathered: JsonObject,
): Record<string, string> | null {
  if (mappings.length === 0) return null;
  const fields = mappings.map(
    ({ contextPath, destinationField }) => [destinationField, valueAt(gathered, contextPath)] as const,
  );
  return Object.fromEntries(fields.filter(([field, value]) => field !== '' && value !== ''));
}

function valueAt(gathered: JsonObject, path: string): string {
  const name = path.startsWith(prefix) ? path.slice(prefix.length) : path;
  const found = lookUp(gathered, name);
  const value =
    found === undefined && !name.includes('.') ? lookUp(gathered, `extracted_variables.${name}`) : found;
  return textOf(value).trim();
}
