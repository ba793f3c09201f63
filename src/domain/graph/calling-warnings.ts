import { locatePlaceholders, parseTemplate } from '../template/parse.ts';
import { type Definition, type JsonObject, nodesOf, own, ownList, ownObject, ownText } from './definition.ts';
import { nodeFault, said } from './describe.ts';
import { variablesOf } from './extraction-variables.ts';
import { readBoolean } from './fields.ts';
import type { Warning } from './findings.ts';
import { globalPrompt, nodeOf } from './model.ts';
import { isConversationKind } from './node-kinds.ts';
import { saysMachine } from './says-machine.ts';
import type { Surroundings } from './validate.ts';

/**
 * Warnings about an agent that calls people: its graph has a trigger that is on (contract 2.7), or campaigns use it.
 * Campaigns offer the opt-out by themselves; calls of a trigger do not.
 */
export function callingWarnings(definition: Definition, known: Surroundings): Warning[] {
  const trigger = nodesOf(definition).find(isActiveTrigger);
  return [
    ...(trigger === undefined && known.hasCampaigns !== true ? [] : disclosureWarnings(definition)),
    ...(trigger === undefined ? [] : optOutWarnings(definition, trigger, known)),
  ];
}

const isActiveTrigger = (node: JsonObject): boolean =>
  own(node, 'type') === 'trigger' && readBoolean(own(ownObject(node, 'data'), 'enabled')) !== false;

/** The person must hear at once that a machine speaks. What a recording says is not known here. */
function disclosureWarnings(definition: Definition): Warning[] {
  const start = nodesOf(definition).find((node) => own(node, 'type') === 'startCall');
  const opening = start === undefined ? null : nodeOf(definition, ownText(start, 'id') ?? '');
  if (start === undefined || opening === null || opening.greeting?.kind === 'audio') return [];
  const { greeting, prompt, addGlobalPrompt } = opening;
  if (greeting !== null)
    return !hasWords(greeting.text) || saysMachine(wordsOf(greeting.text))
      ? []
      : [
          {
            ...nodeFault(
              'disclosure_missing',
              start,
              'greeting',
              said('calls people, and the greeting does not say that an AI is speaking', { in: 'greeting' }),
            ),
            fix: insertion(greeting.text, firstSentenceEnd(greeting.text), 'I am an AI assistant.'),
          },
        ];
  const shared = addGlobalPrompt ? (globalPrompt(definition) ?? '') : '';
  return prompt.trim() === '' || saysMachine(wordsOf(`${shared}\n${prompt}`))
    ? []
    : [
        {
          ...nodeFault(
            'disclosure_missing',
            start,
            'prompt',
            said('calls people, and no prompt of its opening says that an AI is speaking', { in: 'prompt' }),
          ),
          fix: insertion(prompt, prompt.trimEnd().length, 'Begin by saying that you are an AI assistant.'),
        },
      ];
}

/** The fixed words and the defaults of a template, without the names of its variables. */
const wordsOf = (template: string): string =>
  parseTemplate(template)
    .map((segment) => (segment.kind === 'text' ? segment.text : (segment.defaultText ?? '')))
    .join('');

/** A greeting that is nothing but a variable may say anything. */
const hasWords = (template: string): boolean =>
  parseTemplate(template).some((segment) => segment.kind === 'text' && /\p{L}/u.test(segment.text));

/** Where the first sentence ends: not inside a variable. */
function firstSentenceEnd(text: string): number {
  const plain = locatePlaceholders(text).reduce(
    (masked, { start, end }) => masked.slice(0, start) + 'x'.repeat(end - start) + masked.slice(end),
    text,
  );
  const end = /[.!?](?=\s)|[。！？]/u.exec(plain);
  return end === null ? text.trimEnd().length : end.index + 1;
}

const insertion = (text: string, at: number, words: string): Warning['fix'] => ({
  label: 'Say that an AI is speaking',
  edit: {
    op: 'replace_text',
    start: at,
    end: at,
    text: `${/[.!?。！？]$/u.test(text.slice(0, at)) ? '' : '.'} ${words}`,
  },
});

const optOutVariable = {
  name: 'do_not_call',
  type: 'boolean',
  prompt: 'true if the person said, in whatever words, that they do not want to be called again',
} as const;

/** Names of tools that take the wish to another system. */
const optOutName = /do_?not_?call|dont_call|(?:^|_)dnc(?:_|$)|opt_?out|unsubscribe|block_?list|suppress/;

/** A node that extracts `do_not_call` or has a tool for it stops further calls (docs/suppression.md). */
function optOutWarnings(
  definition: Definition,
  trigger: JsonObject,
  { toolNames, optOutTools }: Surroundings,
): Warning[] {
  const nodes = nodesOf(definition).filter((node) => isConversationKind(own(node, 'type')));
  const data = nodes.map((node) => ownObject(node, 'data'));
  const uuids = data.flatMap((each) =>
    ownList(each, 'tool_uuids').filter((uuid) => typeof uuid === 'string'),
  );
  const hasOptOut =
    data.some((each) => variablesOf(each).some(({ name }) => name === optOutVariable.name)) ||
    uuids.some((uuid) => optOutTools?.has(uuid) === true || optOutName.test(toolNames?.get(uuid) ?? ''));
  const isUnknown = toolNames === undefined && uuids.length > 0;
  return hasOptOut || isUnknown || nodes.length === 0
    ? []
    : [
        {
          ...nodeFault(
            'opt_out_missing',
            trigger,
            null,
            'calls people, who have no way to say that they do not want to be called again',
          ),
          fix: {
            label: 'Extract do_not_call at every node',
            edit: {
              op: 'add_variable',
              ids: nodes.flatMap((node) => ownText(node, 'id') ?? []),
              variable: optOutVariable,
            },
          },
        },
      ];
}
