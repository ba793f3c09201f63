import { ChevronDown } from 'lucide-react';
import { t } from '../../app/words.ts';
import { labelOf } from '../../graph/draft.ts';
import type { Problem } from '../../graph/problems.ts';
import { Count, SeverityIcon } from '../../parts/badge.tsx';
import { IconButton } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { shownName } from './actions.ts';
import { FixButton, goTo } from './fix-button.tsx';
import { problemText } from './problem-text.ts';
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
  const problems = useEditor((state) => state.distinctProblems);
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
              <span className="cut grow">{problemText(problem)}</span>
            </button>
            <FixButton problem={problem} />
          </li>
        ))}
      </ul>
    </section>
  );
}
