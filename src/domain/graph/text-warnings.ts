import { locatePlaceholders, type PlacedPlaceholder } from '../template/parse.ts';
import { ownSourceOf, payloadNames, rootName } from '../template/own-names.ts';
import { type Definition, type JsonObject, own } from './definition.ts';
import { edgeFault, nodeFault } from './describe.ts';
import type { Warning, WarningCode } from './findings.ts';
import { templateTexts, type TemplateText } from './template-texts.ts';

/** Estimated tokens; longer prompts make every reply slow and dear. */
const maxPromptTokens = 4000;
const bytesPerToken = 4;

/** Warnings about texts that are rendered (contract 2.7). */
export function textWarnings(definition: Definition, testValues: JsonObject | null): Warning[] {
  return templateTexts(definition).flatMap((text) => [
    ...longWarnings(text),
    ...locatePlaceholders(text.text).flatMap((placeholder) =>
      variableWarnings(text, placeholder, testValues),
    ),
  ]);
}

function longWarnings(text: TemplateText): Warning[] {
  const tokens = Math.ceil(new TextEncoder().encode(text.text).length / bytesPerToken);
  return text.field === 'prompt' && tokens > maxPromptTokens
    ? [
        faultAt(
          'prompt_long',
          text,
          `the prompt has about ${tokens} tokens; more than ${maxPromptTokens} make every reply slow`,
        ),
      ]
    : [];
}

function variableWarnings(
  text: TemplateText,
  { name, defaultText, start, end }: PlacedPlaceholder,
  testValues: JsonObject | null,
): Warning[] {
  const range = { start, end };
  if (text.place === 'payload') {
    const isKnown = payloadNames.has(name.split('.', 1)[0] ?? name) || ownSourceOf(name) === 'time';
    return isKnown
      ? []
      : [
          {
            ...faultAt(
              'variable_unknown',
              text,
              `{{${name}}} is not a name in a webhook's payload${hint(name)}`,
            ),
            range,
          },
        ];
  }
  const root = rootName(name);
  if (root === 'gathered_context')
    return [
      {
        ...faultAt(
          'variable_unknown',
          text,
          `{{${name}}} is always empty: prompts know no values of the call itself`,
        ),
        range,
      },
    ];
  if (defaultText !== null || ownSourceOf(root) !== null) return [];
  const fix = {
    label: 'Say what to use without a value',
    edit: { op: 'replace_text' as const, ...range, text: `{{${name} | }}` },
  };
  const isUnknown = testValues !== null && own(testValues, root) === undefined;
  return [
    isUnknown
      ? {
          ...faultAt(
            'variable_unknown',
            text,
            `{{${name}}} is neither a name of the service nor a test value, and has no default`,
          ),
          range,
          fix,
        }
      : {
          ...faultAt(
            'default_missing',
            text,
            `{{${name}}} has no default, and is empty in a call without this value`,
          ),
          range,
          fix,
        },
  ];
}

/** Bare names of initial_context are a usual mistake. */
const hint = (name: string): string =>
  `; a value of the call is {{initial_context.${name}}} or {{gathered_context.${name}}}`;

function faultAt<Code extends WarningCode>(code: Code, { kind, item, field }: TemplateText, message: string) {
  return kind === 'node' ? nodeFault(code, item, field, message) : edgeFault(code, item, field, message);
}
