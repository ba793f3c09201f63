import { hasWords, t } from '../../app/words.ts';
import { asSentence, type Problem, problemsAt } from '../../graph/problems.ts';

/** What is wrong in the catalog's words; in the server's if the catalog does not know the code. */
export function problemText({ code, values, message }: Pick<Problem, 'code' | 'values' | 'message'>): string {
  const id = `editor.problem.${code}`;
  return hasWords(id) ? asSentence(t(id, values)) : message;
}

/** What the button says that mends a variable of a text. */
export const variableMend = ({ values }: Pick<Problem, 'values'>): string =>
  values?.['other'] === undefined ? t('editor.leaveOut') : t('editor.useName', { name: values['other'] });

/** The first error of a field. */
export function errorText(problems: readonly Problem[], field: string): string | undefined {
  const found = problemsAt(problems, field).find(({ severity }) => severity === 'error');
  return found === undefined ? undefined : problemText(found);
}
