import { saysAi } from '../graph/says-machine.ts';
import { validateDefinition } from '../graph/validate.ts';
import { parseTemplate } from '../template/parse.ts';
import { composeAgent } from './compose.ts';
import { textsOf } from './design-texts.ts';
import { doNotCallId, openingId, voicemailId, type AgentDesign } from './design.ts';

/** Ids that the composed graph itself uses. */
const reservedIds: ReadonlySet<string> = new Set([
  openingId,
  doNotCallId,
  voicemailId,
  'manner',
  'trigger',
  'result',
]);
const reservedVariables: ReadonlySet<string> = new Set([
  'call_disposition',
  'do_not_call',
  'extracted_variables',
  'nodes_visited',
  'call_tags',
]);
const maxSteps = 12;
const maxEnds = 10;
const maxWays = 60;
const maxCharacters = 3000;
const word = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * The faults of a generated design, in sentences for its author; empty when the agent can be called. The
 * design's shape and types are already valid. The graph's own rules (contract 2.5) are only checked when
 * there are no other faults.
 */
export function designFaults(design: AgentDesign): string[] {
  const faults = [
    ...sizeFaults(design),
    ...idFaults(design),
    ...wayFaults(design),
    ...variableFaults(design),
    ...outcomeFaults(design),
    ...disclosureFaults(design),
    ...placeholderFaults(design),
  ];
  return faults.length > 0
    ? faults
    : validateDefinition(composeAgent(design)).errors.map(({ message }) => message);
}

function sizeFaults({ steps, ends, ways, ...rest }: AgentDesign): string[] {
  const longest = Math.max(...textsOf({ steps, ends, ways, ...rest }).map((text) => text.length));
  return [
    ...(steps.length === 0 ? ['There is no step: an agent needs at least one besides the opening'] : []),
    ...(steps.length > maxSteps ? [`There are ${steps.length} steps: the maximum is ${maxSteps}`] : []),
    ...(ends.length === 0 ? ['There is no end: an agent needs at least one'] : []),
    ...(ends.length > maxEnds ? [`There are ${ends.length} ends: the maximum is ${maxEnds}`] : []),
    ...(ways.length > maxWays ? [`There are ${ways.length} ways: the maximum is ${maxWays}`] : []),
    ...(longest > maxCharacters ? [`A text has ${longest} characters: the maximum is ${maxCharacters}`] : []),
  ];
}

function idFaults({ steps, ends }: AgentDesign): string[] {
  const ids = [...steps, ...ends].map(({ id }) => id);
  return ids.flatMap((id, index) => {
    if (!word.test(id))
      return [`The id “${shown(id)}” may only contain lowercase letters, digits and underscores`];
    if (reservedIds.has(id)) return [`The id “${id}” is reserved: choose another one or leave the step out`];
    return ids.indexOf(id) === index ? [] : [`Two steps have the id “${id}”`];
  });
}

function wayFaults({ steps, ends, ways }: AgentDesign): string[] {
  const from = new Set([openingId, ...steps.map(({ id }) => id)]);
  const to = new Set([...steps, ...ends].map(({ id }) => id));
  const wrong = ways.flatMap((way) => [
    ...(from.has(way.from)
      ? []
      : [`A way begins at “${shown(way.from)}”, which is neither the opening nor a step`]),
    ...(to.has(way.to) ? [] : [`A way leads to “${shown(way.to)}”, which is neither a step nor an end`]),
  ]);
  if (wrong.length > 0) return wrong;
  const reached = reachedFrom(openingId, ways);
  return [
    ...[...to]
      .filter((id) => !reached.has(id))
      .map((id) => `“${shown(id)}” cannot be reached from the opening`),
    ...[...from]
      .filter((id) => !ways.some((way) => way.from === id))
      .map((id) => `No way leads out of “${shown(id)}”`),
  ];
}

function reachedFrom(start: string, ways: AgentDesign['ways']): Set<string> {
  const reached = new Set([start]);
  // A set may grow while the loop visits it.
  for (const place of reached) for (const { from, to } of ways) if (from === place) reached.add(to);
  return reached;
}

function variableFaults({ opening, steps, ends }: AgentDesign): string[] {
  const variables = [opening, ...steps, ...ends].flatMap(({ variables: own = [] }) => own);
  const types = new Map(variables.map(({ name, type }) => [name, type]));
  return variables.flatMap(({ name, type }) => {
    if (!word.test(name))
      return [`The variable “${shown(name)}” may only contain lowercase letters, digits and underscores`];
    if (reservedVariables.has(name)) return [`The variable “${name}” is reserved`];
    return types.get(name) === type ? [] : [`The variable “${name}” has two types`];
  });
}

function outcomeFaults({ ends }: AgentDesign): string[] {
  const outcomes = ends.map(({ disposition }) => disposition);
  return outcomes.flatMap((outcome, index) => {
    if (!word.test(outcome))
      return [
        `The disposition “${shown(outcome)}” may only contain lowercase letters, digits and underscores`,
      ];
    if (reservedIds.has(outcome)) return [`The disposition “${outcome}” is reserved`];
    return outcomes.indexOf(outcome) === index ? [] : [`Two ends have the disposition “${outcome}”`];
  });
}

/**
 * Required by law in many countries and by us: the callee first hears that an AI is speaking (product 2.5).
 */
function disclosureFaults({ greeting }: AgentDesign): string[] {
  const [first = ''] = greeting.split(/(?<=[.!?])\s|[。！？]/u);
  // guarantee: design-greeting-discloses-ai
  return saysAi.test(fixedWords(first))
    ? []
    : [
        'The first sentence of the greeting does not say that an AI is speaking: it must contain the word AI (or KI, IA, ИИ, depending on the language)',
      ];
}

/** The text without placeholders. */
function fixedWords(text: string): string {
  return parseTemplate(text)
    .map((segment) => (segment.kind === 'text' ? segment.text : ''))
    .join('');
}

function placeholderFaults(design: AgentDesign): string[] {
  const bare = textsOf(design)
    .flatMap(parseTemplate)
    .flatMap((segment) =>
      segment.kind === 'placeholder' &&
      !segment.name.startsWith('current_') &&
      (segment.defaultText ?? '') === ''
        ? [segment.name]
        : [],
    );
  return [...new Set(bare)].map(
    (name) =>
      `The placeholder {{${shown(name)}}} has no default: write {{${shown(name)} | text to use without a value}}`,
  );
}

const shown = (text: string): string => text.slice(0, 80);
