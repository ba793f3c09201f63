import { validateDefinition } from '../graph/validate.ts';
import { parseTemplate } from '../template/parse.ts';
import { composeAgent } from './compose.ts';
import { textsOf } from './design-texts.ts';
import { doNotCallId, openingId, voicemailId, type AgentDesign } from './design.ts';

/** What the composed graph needs for itself. */
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
 * What keeps a design that somebody else made from being an agent, in sentences for whoever made it; empty
 * when it can be called. Shape and types are right already. The graph's own rules (contract 2.5) come last,
 * when nothing else is wrong.
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
    ...(steps.length === 0 ? ['There is no step: an agent has at least one besides the opening'] : []),
    ...(steps.length > maxSteps ? [`There are ${steps.length} steps: ${maxSteps} are the most`] : []),
    ...(ends.length === 0 ? ['There is no end: an agent has at least one'] : []),
    ...(ends.length > maxEnds ? [`There are ${ends.length} ends: ${maxEnds} are the most`] : []),
    ...(ways.length > maxWays ? [`There are ${ways.length} ways: ${maxWays} are the most`] : []),
    ...(longest > maxCharacters ? [`A text has ${longest} characters: ${maxCharacters} are the most`] : []),
  ];
}

function idFaults({ steps, ends }: AgentDesign): string[] {
  const ids = [...steps, ...ends].map(({ id }) => id);
  return ids.flatMap((id, index) => {
    if (!word.test(id)) return [`The id «${shown(id)}» must be of small letters, digits and underscores`];
    if (reservedIds.has(id))
      return [`The id «${id}» is reserved: give the step another one, or leave it out`];
    return ids.indexOf(id) === index ? [] : [`Two steps have the id «${id}»`];
  });
}

function wayFaults({ steps, ends, ways }: AgentDesign): string[] {
  const from = new Set([openingId, ...steps.map(({ id }) => id)]);
  const to = new Set([...steps, ...ends].map(({ id }) => id));
  const wrong = ways.flatMap((way) => [
    ...(from.has(way.from)
      ? []
      : [`A way begins at «${shown(way.from)}», which is neither the opening nor a step`]),
    ...(to.has(way.to) ? [] : [`A way leads to «${shown(way.to)}», which is neither a step nor an end`]),
  ]);
  if (wrong.length > 0) return wrong;
  const reached = reachedFrom(openingId, ways);
  return [
    ...[...to]
      .filter((id) => !reached.has(id))
      .map((id) => `«${shown(id)}» cannot be reached from the opening`),
    ...[...from]
      .filter((id) => !ways.some((way) => way.from === id))
      .map((id) => `No way leads out of «${shown(id)}»`),
  ];
}

function reachedFrom(start: string, ways: AgentDesign['ways']): Set<string> {
  const reached = new Set([start]);
  // A set may grow while it is walked.
  for (const place of reached) for (const { from, to } of ways) if (from === place) reached.add(to);
  return reached;
}

function variableFaults({ opening, steps, ends }: AgentDesign): string[] {
  const variables = [opening, ...steps, ...ends].flatMap(({ variables: own = [] }) => own);
  const types = new Map(variables.map(({ name, type }) => [name, type]));
  return variables.flatMap(({ name, type }) => {
    if (!word.test(name))
      return [`The variable «${shown(name)}» must be of small letters, digits and underscores`];
    if (reservedVariables.has(name)) return [`The variable «${name}» is reserved`];
    return types.get(name) === type ? [] : [`The variable «${name}» has two types`];
  });
}

function outcomeFaults({ ends }: AgentDesign): string[] {
  const outcomes = ends.map(({ disposition }) => disposition);
  return outcomes.flatMap((outcome, index) => {
    if (!word.test(outcome))
      return [`The disposition «${shown(outcome)}» must be of small letters, digits and underscores`];
    if (reservedIds.has(outcome)) return [`The disposition «${outcome}» is reserved`];
    return outcomes.indexOf(outcome) === index ? [] : [`Two ends have the disposition «${outcome}»`];
  });
}

/** How the languages of the world write it; every one of them understands the first. */
const saysAi =
  /(?<![\p{L}\p{N}])(?:AI|A\.I\.|KI|IA|ИИ|ШІ)(?![\p{L}\p{N}])|artifici\w* intell?igen|intell?igen\w* artifici|künstliche\w* Intelligenz|人工智能|人工知能|인공지능/iu;

/** The law of many countries, and ours: who is called hears first that no person speaks (product 2.5). */
function disclosureFaults({ greeting }: AgentDesign): string[] {
  const [first = ''] = greeting.split(/(?<=[.!?])\s|[。！？]/u);
  // guarantee: no-agent-generated-does
  return saysAi.test(fixedWords(first))
    ? []
    : [
        'The first sentence of the greeting does not say that an AI speaks: it must contain the word AI (or KI, IA, ИИ as the language has it)',
      ];
}

/** What is said whatever the values are. */
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
      `The placeholder {{${shown(name)}}} has no default: write {{${shown(name)} | words for when it is not known}}`,
  );
}

const shown = (text: string): string => text.slice(0, 80);
