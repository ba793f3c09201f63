import { z } from 'zod';
import { findJsonObject } from '../../domain/models/json-answer.ts';
import { designFaults } from '../../domain/agent-templates/design-faults.ts';
import { testValuesOf } from '../../domain/agent-templates/design-texts.ts';
import type { AgentDesign, CallType } from '../../domain/agent-templates/design.ts';

const Variable = z.object({
  name: z.string(),
  type: z.enum(['string', 'number', 'boolean']),
  prompt: z.string(),
});
const Opening = z.object({ name: z.string(), prompt: z.string(), variables: z.array(Variable) });
const Step = Opening.extend({ id: z.string() });

/** The shape of the answer: the parts of a definition (contract 2) that the model decides. */
const GeneratedAgent = z.object({
  name: z.string(),
  greeting: z.string(),
  role: z.string(),
  opening: Opening,
  steps: z.array(Step),
  ends: z.array(Step.extend({ disposition: z.string() })),
  ways: z.array(z.object({ from: z.string(), to: z.string(), label: z.string(), condition: z.string() })),
});

/** The shape as JSON Schema for the model: all properties are required, no others are allowed. */
export const generatedAgentFormat = { name: 'voice_agent', schema: jsonSchema() };

function jsonSchema(): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(GeneratedAgent);
  return schema;
}

export type GeneratedDesign =
  | { ok: true; name: string; design: AgentDesign }
  | { ok: false; faults: string[] };

/**
 * Reads the model's answer. The faults are sent to the model, so they only contain text of its own answer.
 */
export function readGeneratedDesign(answer: string, callType: CallType): GeneratedDesign {
  const found = findJsonObject(answer);
  if (found === null) return { ok: false, faults: ['The answer is not a JSON object'] };
  const parsed = GeneratedAgent.safeParse(found);
  if (!parsed.success)
    return {
      ok: false,
      faults: parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'The answer'}: ${message}`),
    };
  const { name, ...said } = parsed.data;
  const bare: AgentDesign = { callType, passOn: [], ...said };
  // guarantee: unusable-design-makes-nothing
  const faults = designFaults(bare);
  return faults.length === 0
    ? { ok: true, name: name.trim(), design: { ...bare, passOn: Object.keys(testValuesOf(bare)) } }
    : { ok: false, faults };
}
