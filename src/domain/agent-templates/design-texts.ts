import { parseTemplate } from '../template/parse.ts';
import type { AgentDesign } from './design.ts';

/** Every text of a design that is spoken or read by the model. */
export function textsOf({ greeting, role, opening, steps, ends, ways }: AgentDesign): string[] {
  const ofSteps = [opening, ...steps, ...ends].flatMap(({ name, prompt, variables = [] }) => [
    name,
    prompt,
    ...variables.map((each) => each.prompt),
  ]);
  return [greeting, role, ...ofSteps, ...ways.flatMap(({ label, condition }) => [label, condition])];
}

/** Test values for a design: its placeholders with their defaults, except time variables and nested names. */
export function testValuesOf(design: AgentDesign): Record<string, string> {
  const placeholders = textsOf(design)
    .flatMap(parseTemplate)
    .filter((segment) => segment.kind === 'placeholder');
  return Object.fromEntries(
    placeholders.flatMap(({ name, defaultText }) =>
      name.startsWith('current_') || name.includes('.') ? [] : [[name, defaultText ?? '']],
    ),
  );
}
