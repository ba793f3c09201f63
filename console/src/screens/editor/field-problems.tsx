import { problemsAt } from '../../graph/problems.ts';
import { SeverityIcon } from '../../parts/badge.tsx';
import { cx } from '../../parts/cx.ts';
import { FixButton } from './fix-button.tsx';
import { problemText } from './problem-text.ts';
import { useEditor } from './session.ts';

/** Codes of variables, which a field for prompts marks while somebody types. */
const ofVariables: ReadonlySet<string> = new Set(['default_missing', 'variable_unknown']);

/** What the rules say of a field and the field does not, with what mends it; null for the whole node. */
export function FieldProblems({
  id,
  field,
  marksVariables = false,
  marksErrors = true,
}: {
  id: string;
  field: string | null;
  /** The field itself says what is wrong with its variables. */
  marksVariables?: boolean;
  /** The field itself says what prevents publishing. */
  marksErrors?: boolean;
}) {
  const all = useEditor((state) => state.problems).filter(
    ({ id: of, severity, code }) =>
      of === id && !(marksErrors && severity === 'error') && !(marksVariables && ofVariables.has(code)),
  );
  const found = field === null ? all.filter((each) => each.field === null) : problemsAt(all, field);
  if (found.length === 0) return null;
  const isBad = found.some(({ severity }) => severity === 'error');
  return (
    <div className={cx('fix', field !== null && 'of-field', isBad && 'is-bad')} role="note">
      {found.map((problem, index) => (
        <div key={index} className="row">
          <SeverityIcon is={problem.severity === 'error' ? 'bad' : 'warn'} />
          <span className="grow">{problemText(problem)}.</span>
          <FixButton problem={problem} />
        </div>
      ))}
    </div>
  );
}
