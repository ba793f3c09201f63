import { locatePlaceholders, type PlacedPlaceholder } from '../template/parse.ts';
import { ownSourceOf, payloadNames, rootName } from '../template/own-names.ts';
import { type Definition, type JsonObject, own } from './definition.ts';
import { edgeFault, nodeFault, type Said, said } from './describe.ts';
import type { Warning, WarningCode } from './findings.ts';
import { templateTexts, type TemplateText } from './template-texts.ts';

/** Estimated tokens; longer prompts make every reply slow and dear. */
const maxPromptTokens = 4000;
const bytesPerToken = 4;

/** What the warnings about variables know of their values. */
export interface KnownValues {
  /** The values that tests begin with, null if unknown. */
  testValues: JsonObject | null;
  /** Columns that a call knows by another name only (contract 11.4), in lower case, with that name. */
  renamedColumns?: ReadonlyMap<string, string>;
}

/** Warnings about texts that are rendered (contract 2.7). */
export function textWarnings(definition: Definition, known: KnownValues): Warning[] {
  return templateTexts(definition).flatMap((text) => [
    ...longWarnings(text),
    ...locatePlaceholders(text.text).flatMap((placeholder) => {
      const found =
        text.place === 'payload' ? payloadWarning(placeholder) : promptWarning(placeholder, known);
      if (found === null) return [];
      const { code, words, fix } = found;
      const range = { start: placeholder.start, end: placeholder.end };
      const warning = { ...faultAt(code, text, words), range };
      if (fix === undefined) return [warning];
      const edit = { op: 'replace_text' as const, ...range, text: fix.text };
      return [{ ...warning, fix: { label: fix.label, edit } }];
    }),
  ]);
}

function longWarnings(text: TemplateText): Warning[] {
  const tokens = Math.ceil(new TextEncoder().encode(text.text).length / bytesPerToken);
  return text.field === 'prompt' && tokens > maxPromptTokens
    ? [
        faultAt(
          'prompt_long',
          text,
          said(`the prompt has about ${tokens} tokens; more than ${maxPromptTokens} make every reply slow`, {
            tokens,
            max: maxPromptTokens,
          }),
        ),
      ]
    : [];
}

/** What is wrong with a variable, and what to write in its place. */
interface VariableWarning {
  code: 'variable_unknown' | 'default_missing';
  words: Said;
  fix?: { label: string; text: string };
}

/** Bare names of initial_context are a usual mistake. */
function payloadWarning({ name }: PlacedPlaceholder): VariableWarning | null {
  if (payloadNames.has(name.split('.', 1)[0] ?? name) || ownSourceOf(name) === 'time') return null;
  return {
    code: 'variable_unknown',
    words: said(
      `{{${name}}} is not a name in a webhook's payload; a value of the call is {{initial_context.${name}}} or {{gathered_context.${name}}}`,
      { name, is: 'payload' },
    ),
  };
}

function promptWarning(
  { name, defaultText }: PlacedPlaceholder,
  { testValues, renamedColumns }: KnownValues,
): VariableWarning | null {
  const root = rootName(name);
  if (root === 'gathered_context')
    return {
      code: 'variable_unknown',
      words: said(`{{${name}}} is always empty: prompts know no values of the call itself`, {
        name,
        is: 'gathered',
      }),
      fix: { label: 'Leave it out', text: defaultText ?? '' },
    };
  const otherName = renamedColumns?.get(root.toLowerCase());
  if (otherName !== undefined)
    return {
      code: 'variable_unknown',
      words: said(`{{${name}}} is always empty in campaigns: calls know this column as {{${otherName}}}`, {
        name,
        is: 'column',
        other: otherName,
      }),
      fix: {
        label: `Use {{${otherName}}}`,
        text: defaultText === null ? `{{${otherName}}}` : `{{${otherName} | ${defaultText}}}`,
      },
    };
  if (defaultText !== null || ownSourceOf(root) !== null) return null;
  const fix = { label: 'Say what to use without a value', text: `{{${name} | }}` };
  return testValues !== null && own(testValues, root) === undefined
    ? {
        code: 'variable_unknown',
        words: said(`{{${name}}} is neither a name of the service nor a test value, and has no default`, {
          name,
          is: 'unset',
        }),
        fix,
      }
    : {
        code: 'default_missing',
        words: said(`{{${name}}} has no default, and is empty in a call without this value`, { name }),
        fix,
      };
}

function faultAt<Code extends WarningCode>(code: Code, { kind, item, field }: TemplateText, words: Said) {
  return kind === 'node' ? nodeFault(code, item, field, words) : edgeFault(code, item, field, words);
}
