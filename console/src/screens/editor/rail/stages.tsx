import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { ApiError } from '../../../app/api.ts';
import { duration } from '../../../app/format.ts';
import { get } from '../../../app/query.ts';
import { outcomeWords } from '../../../app/outcome-words.ts';
import { t } from '../../../app/words.ts';
import type { CallView } from '../../../live/call-view.ts';
import { refusalText } from '../../../live/refusal.ts';
import { SeverityIcon } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { goTo } from '../fix-button.tsx';
import { problemText } from '../problem-text.ts';
import { placeOf } from '../problems-panel.tsx';
import { useEditor, useSession } from '../session.ts';
import { NotSaved, type Test, useTester } from './tester.ts';

/** Nothing has been said yet. */
export function Start({
  way,
  isDeaf,
  onStart,
}: {
  way: 'type' | 'talk';
  /** No recognizer understands what the microphone hears. */
  isDeaf: boolean;
  onStart: () => void;
}) {
  return (
    <div className="begin">
      <p>{t(`rail.startWhy.${way}`)}</p>
      {way === 'talk' && isDeaf && <p className="t-2">{t('rail.deaf')}</p>}
      <Button kind="primary" size="md" icon={Play} onPress={onStart}>
        {t(`rail.start.${way}`)}
      </Button>
    </div>
  );
}

/** Errors of the graph, which would end every call. */
export function Blocked() {
  const session = useSession();
  const errors = useEditor((state) => state.distinctProblems).filter(({ severity }) => severity === 'error');
  return (
    <div className="begin">
      <h2 className="h2">{t('rail.blocked')}</h2>
      <p className="t-2">{t('rail.blockedWhy', { count: errors.length })}</p>
      <ul className="errors">
        {errors.map((problem, index) => (
          <li key={index}>
            <button type="button" onClick={() => goTo(session, problem)}>
              <SeverityIcon is="bad" />
              <span>
                <b>{placeOf(session, problem)}</b> {problemText(problem)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The conversation did not begin, or was lost. */
export function Failed({ test, onAgain }: { test: Test; onAgain: () => void }) {
  const tester = useTester();
  const { fault, lack, way } = test;
  const isText = way === 'type' && !(fault instanceof NotSaved);
  return (
    <div className="foot begin" role="alert">
      <p>{lack === 'no_host' ? t('rail.noHost') : faultWords(fault)}</p>
      <div className="row">
        <Button kind="primary" onPress={isText ? tester.retry : onAgain}>
          {t('common.retry')}
        </Button>
        {way !== 'type' && <Button onPress={() => void tester.type()}>{t('rail.typeInstead')}</Button>}
      </div>
    </div>
  );
}

export function faultWords(fault: unknown): string {
  if (fault instanceof NotSaved) return t('rail.notSaved');
  if (fault instanceof ApiError) return fault.message;
  const view = fault as { phase?: string; fault?: CallView['fault'] } | null;
  if (view?.phase === 'lost') return t('rail.lost');
  if (view?.phase === 'refused') return refusalText(view);
  return t('common.unexpected');
}

/** How it ended, and the ways on. */
export function Over({ test, onAgain }: { test: Test; onAgain: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The field that had the focus is gone.
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  const { run } = test;
  return (
    <div className="foot over">
      <div className="row">
        <h2 className="h2" tabIndex={-1} ref={heading}>
          {t('rail.over')}
        </h2>
        <span className="small t-2 cut" role="status">
          {run?.is_completed === true
            ? [
                run.disposition === null ? null : outcomeWords(run.disposition),
                run.call_duration_seconds === null ? null : duration(run.call_duration_seconds),
              ]
                .filter((each) => each !== null)
                .join(' · ')
            : t('rail.completing')}
        </span>
      </div>
      <div className="row wrap">
        <Button kind="primary" onPress={onAgain}>
          {t('rail.startAgain')}
        </Button>
        <Links test={test} />
      </div>
    </div>
  );
}

/** To the call's own page, and to its Workflow. */
export function Links({ test }: { test: Test }) {
  const { agentId } = useSession();
  const { data: health } = useQuery(get('/health', {}));
  const ui = health?.links.temporal_ui ?? null;
  if (test.runId === null) return null;
  const workflowId = test.run?.temporal_workflow_id ?? null;
  return (
    <>
      <Link
        to="/calls/$agentId/$runId"
        params={{ agentId: String(agentId), runId: String(test.runId) }}
        className="link"
      >
        {t('rail.seeCall')}
      </Link>
      {ui !== null && workflowId !== null && (
        <a className="link" href={`${ui}/${encodeURIComponent(workflowId)}`} target="_blank" rel="noreferrer">
          {t('rail.temporal')}
        </a>
      )}
    </>
  );
}
