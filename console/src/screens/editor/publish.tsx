import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call } from '../../app/api.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { changesBetween, type DraftChange } from '../../graph/changes.ts';
import { draftOf } from '../../graph/draft.ts';
import type { Problem } from '../../graph/problems.ts';
import { SeverityIcon } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { changeText, changeTitle } from './change-text.ts';
import { goTo, placeOf } from './problems-panel.tsx';
import { useDraft, useEditor, useSession } from './session.ts';

const signs = { added: ['+', 'add'], removed: ['−', 'del'], changed: ['~', 'mod'] } as const;

export function usePublished(agentId: number) {
  const query = useQuery(
    get('/workflow/{workflow_id}/versions', { params: { workflow_id: agentId }, query: { limit: 100 } }),
  );
  return { query, version: query.data?.find(({ status }) => status === 'published') };
}

/** What will change, whether it may, and for whom. */
export function PublishDialog({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const draft = useDraft();
  const problems = useEditor((state) => state.problems);
  const save = useEditor((state) => state.save);
  const version = useEditor((state) => state.version);
  const { query, version: published } = usePublished(session.agentId);
  const [note, setNote] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.length - errors.length;
  const before =
    published === undefined
      ? null
      : draftOf({
          name: draft.name,
          workflow_definition: published.workflow_json,
          workflow_configurations: published.workflow_configurations,
          template_context_variables: published.template_context_variables,
        });
  const changes = before === null ? [] : changesBetween(before, draft);
  const isSaved = save.is === 'saved';
  const isDraft = version.version_status === 'draft';

  const publish = async () => {
    setBusy(true);
    setError(null);
    try {
      await session.flush();
      const { body } = await call('post', '/workflow/{workflow_id}/publish', {
        params: { workflow_id: session.agentId },
        query: note.trim() === '' ? {} : { note: note.trim() },
        ifMatch: session.base().etag,
      });
      toast(t('editor.published', { version: body.version_number }));
      void query.refetch();
      await session.reload();
      onClose();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure.status === 412 ? t('editor.publishChanged') : faultsOf(failure));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={t('editor.publishTitle', { name: draft.name, version: version.version_number ?? 1 })}
      isOpen
      onClose={onClose}
      size="lg"
      footer={
        <>
          {error !== null && (
            <p role="alert" className="text-bad-text grow whitespace-pre-line">
              {error}
            </p>
          )}
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button
            kind="primary"
            isDisabled={errors.length > 0 || !isSaved || !isDraft || isBusy}
            onPress={() => void publish()}
          >
            {t('editor.publishWith', { count: warnings })}
          </Button>
        </>
      }
    >
      <div className="publish">
        <div>
          <h3 className="h2">
            {published === undefined
              ? t('editor.changes')
              : t('editor.changesSince', { count: changes.length, version: published.version_number })}
          </h3>
          {query.isPending ? <Skeleton rows={3} /> : <Changes changes={changes} />}
        </div>
        <div>
          <p className="text-muted">{t('editor.publishMeans')}</p>
          <h3 className="h2">{t('editor.checks')}</h3>
          <Checks problems={problems} onClose={onClose} />
          {!isSaved && <p className="text-warn-text">{t('editor.notSavedYet')}</p>}
          {isSaved && !isDraft && <p className="text-muted">{t('editor.nothingToPublish')}</p>}
          <h3 className="h2">{t('editor.affected')}</h3>
          <Affected />
          <TextField
            className="mt-2"
            label={t('editor.note')}
            hint={t('editor.noteHint')}
            maxLength={500}
            value={note}
            onChange={setNote}
          />
        </div>
      </div>
    </Dialog>
  );
}

/** Faults of the graph that only the server knows. */
function faultsOf({ detail, message }: ApiError): string {
  if (typeof detail === 'object' && detail !== null && 'errors' in detail && Array.isArray(detail.errors))
    return (detail.errors as { message: string }[]).map((each) => each.message).join('\n');
  return message;
}

function Changes({ changes }: { changes: readonly DraftChange[] }) {
  const session = useSession();
  if (changes.length === 0) return <p className="text-muted">{t('editor.noChanges')}</p>;
  return (
    <ul className="changes">
      {changes.map((change, index) => {
        const [sign, look] = signs[change.kind];
        return (
          <li key={index}>
            <span className={`sg ${look}`} aria-hidden>
              {sign}
            </span>
            <span>
              <b className="ink semi">{changeTitle(change)}</b> {changeText(session, change)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Checks({ problems, onClose }: { problems: readonly Problem[]; onClose: () => void }) {
  const session = useSession();
  return (
    <ul>
      {problems.every(({ severity }) => severity !== 'error') && (
        <li className="ck">
          <SeverityIcon is="ok" />
          <span>{t('editor.checksPass')}</span>
        </li>
      )}
      {problems.map((problem, index) => (
        <li key={index} className="ck">
          <SeverityIcon is={problem.severity === 'error' ? 'bad' : 'warn'} />
          <span>
            <b className="ink semi">{placeOf(session, problem)}</b> {problem.message}
          </span>
          {problem.id !== null && (
            <Button
              size="xs"
              onPress={() => {
                onClose();
                goTo(session, problem);
              }}
            >
              {t('editor.show')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Campaigns that dial with the published version, and the addresses that start calls. */
function Affected() {
  const { agentId, draft } = useSession();
  const { data } = useQuery(get('/campaign/', {}));
  const running = (data?.campaigns ?? []).filter(
    ({ workflow_id: id, state }) => id === agentId && state === 'running',
  ).length;
  const triggers = draft().nodes.filter(
    ({ type, data: of }) => type === 'trigger' && of['enabled'] !== false,
  ).length;
  return (
    <dl className="aff">
      <div>
        <dd>{data === undefined ? '–' : running}</dd>
        <dt>{t('editor.affectedCampaigns', { count: running })}</dt>
      </div>
      <div>
        <dd>{triggers}</dd>
        <dt>{t('editor.affectedTriggers', { count: triggers })}</dt>
      </div>
    </dl>
  );
}
