import { callingWarnings } from './calling-warnings.ts';
import { planSizeFault } from './compile.ts';
import type { Definition, JsonObject } from './definition.ts';
import type { Finding } from './findings.ts';
import { graphFaults, type Surroundings } from './validate.ts';
import { textWarnings } from './text-warnings.ts';
import { missingToolWarnings, wayWarnings } from './way-warnings.ts';

/**
 * All errors of a graph, then warnings about what can be published but hardly be meant (contract 2.7). `testValues` are the values that tests begin with, null if unknown.
 */
export function inspectDefinition(
  definition: Definition,
  { testValues = null, ...known }: Surroundings & { testValues?: JsonObject | null } = {},
): Finding[] {
  const size = planSizeFault(definition);
  const errors = [...graphFaults(definition, known), ...(size === null ? [] : [size])];
  const warnings = [
    ...wayWarnings(definition),
    ...(known.toolNames === undefined ? [] : missingToolWarnings(definition, known.toolNames)),
    ...textWarnings(definition, { ...known, testValues }),
    ...callingWarnings(definition, known),
  ];
  return [
    ...errors.map((fault) => ({ ...fault, severity: 'error' as const })),
    ...warnings.map((warning) => ({ ...warning, severity: 'warning' as const })),
  ];
}
