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

/**
 * The placeholders of a design, but for time and nested ones, with their defaults: values to try the agent
 * with.
 */
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
