import { t } from '../../app/words.ts';
import { applyFix } from '../../graph/edit.ts';
import type { Problem } from '../../graph/problems.ts';
import { Button } from '../../parts/button.tsx';
import { removeElements } from './actions.ts';
import { variableMend } from './problem-text.ts';
import { type EditorSession, useSession } from './session.ts';

/** Selects what has the problem, and its field. */
export function goTo(session: EditorSession, { id, field, code }: Problem): void {
  const place = field?.split('.')[0] ?? (code === 'prompt_missing' ? 'prompt' : 'name');
  if (id !== null) session.select([id], place);
}

/** Whether a person has to say the default that mends a variable; the field asks for it. */
export const needsDefault = ({ code, values }: Problem): boolean =>
  code === 'default_missing' || values?.['is'] === 'unset';

function labelOf(problem: Problem, op: string): string {
  if (needsDefault(problem)) return t('editor.giveDefault');
  if (problem.code === 'disclosure_missing') return t('editor.mend.disclosure');
  return problem.code === 'variable_unknown' ? variableMend(problem) : t(`editor.mend.${op}`);
}

/** Mends a problem, or goes where it is mended. */
export function FixButton({ problem }: { problem: Problem }) {
  const session = useSession();
  const { fix, id } = problem;
  if (fix === undefined || id === null) return null;
  const label = labelOf(problem, fix.edit.op);
  const apply = () => session.change((draft) => applyFix(draft, problem), { name: label });
  const run = {
    add_edge: () => session.ask({ for: 'target', source: id }),
    remove_node: () => removeElements(session, [id]),
    add_variable: apply,
    replace_text: needsDefault(problem) ? () => goTo(session, problem) : apply,
  }[fix.edit.op];
  return (
    <Button needs="agents:write" size="xs" onPress={run}>
      {label}
    </Button>
  );
}
