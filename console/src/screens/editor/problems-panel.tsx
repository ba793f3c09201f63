import { ChevronDown } from 'lucide-react';
import { t } from '../../app/words.ts';
import { labelOf } from '../../graph/draft.ts';
import type { Problem } from '../../graph/problems.ts';
import { Count, SeverityIcon } from '../../parts/badge.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { removeElements, shownName } from './actions.ts';
import { type EditorSession, useEditor, useSession } from './session.ts';

/** Where a problem is, by name. */
export function placeOf(session: EditorSession, { of, id }: Problem): string {
  if (of === 'agent' || id === null) return t('editor.wholeAgent');
  if (of === 'node') return shownName(session, id);
  const edge = session.draft().edges.find((each) => each.id === id);
  const label = edge === undefined ? '' : labelOf(edge);
  return label === '' ? t('editor.noLabel') : label;
}

/** What is wrong, each with a way to its field. */
export function ProblemsPanel({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const problems = useEditor((state) => state.problems);
  const selected = useEditor((state) => state.selected);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return (
    <section className="probs" aria-label={t('editor.problems')}>
      <header>
        <h2 className="h2">{t('editor.problems')}</h2>
        <Count of={problems.length} />
        <span className="small t-2">{t('editor.blocking', { count: errors })}</span>
        <span className="grow" />
        <IconButton icon={ChevronDown} size="xs" label={t('common.close')} onPress={onClose} />
      </header>
      <ul>
        {problems.map((problem, index) => (
          <li key={index} className="prob-row">
            <button
              type="button"
              className={cx('prob', problem.id !== null && selected.includes(problem.id) && 'on')}
              onClick={() => goTo(session, problem)}
            >
              <SeverityIcon is={problem.severity === 'error' ? 'bad' : 'warn'} />
              <span className="vh">{t(`editor.severity.${problem.severity}`)}</span>
              <span className="at cut">{placeOf(session, problem)}</span>
              <span className="cut grow">{problem.message}</span>
            </button>
            <FixButton problem={problem} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Mends a problem, or goes where it is mended. */
function FixButton({ problem }: { problem: Problem }) {
  const session = useSession();
  const { fix, id } = problem;
  if (fix === undefined || id === null) return null;
  const run = {
    add_edge: () => session.ask({ for: 'target', source: id }),
    remove_node: () => removeElements(session, [id]),
    replace_text: () => goTo(session, problem),
  }[fix.edit.op];
  return (
    <Button needs="agents:write" size="xs" onPress={run}>
      {t(`editor.mend.${fix.edit.op}`)}
    </Button>
  );
}

/** Selects what has the problem, and its field. */
export function goTo(session: EditorSession, { id, field, code }: Problem): void {
  const place = field?.split('.')[0] ?? (code === 'prompt_missing' ? 'prompt' : 'name');
  if (id !== null) session.select([id], place);
}
