import { useQuery } from '@tanstack/react-query';
import { CheckCircle2, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { ListedVersion } from '../../../../src/contract/agents.ts';
import { ApiError, call } from '../../app/api.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import type { Problem } from '../../graph/problems.ts';
import { SeverityIcon } from '../../parts/badge.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { goTo } from './fix-button.tsx';
import { problemText } from './problem-text.ts';
import { placeOf } from './problems-panel.tsx';
import { type EditorSession, type Published, useDraft, useEditor, useSession } from './session.ts';

const Changes = lazy(async () => ({ default: (await import('./publish-changes.tsx')).PublishChanges }));

export function usePublished(agentId: number) {
  const query = useQuery(
    get('/workflow/{workflow_id}/versions', {
      params: { workflow_id: agentId },
      query: { limit: 2, only: 'published' },
    }),
  );
  return { query, version: query.data?.find(({ status }) => status === 'published') };
}

/** What will change, whether it may, and for whom. */
export function PublishDialog({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const draft = useDraft();
  const problems = useEditor((state) => state.distinctProblems);
  const save = useEditor((state) => state.save);
  const version = useEditor((state) => state.version);
  const { query, version: published } = usePublished(session.agentId);
  const [note, setNote] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.length - errors.length;
  const isSaved = save.is === 'saved';
  const isDraft = version.version_status === 'draft';

  const publish = async () => {
    setBusy(true);
    setError(null);
    try {
      await session.flush();
      await publishDraft(session, { note: note.trim(), former: published });
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
      size="xl"
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
            sends
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
          <Loaded query={query}>
            {() =>
              published === undefined ? (
                <>
                  <h3 className="h2">{t('editor.changes')}</h3>
                  <p className="text-muted">{t('editor.firstPublished')}</p>
                </>
              ) : (
                <Suspense fallback={<Skeleton rows={3} />}>
                  <Changes published={published} draft={draft} isStored={isSaved && isDraft} />
                </Suspense>
              )
            }
          </Loaded>
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

type Former = Pick<ListedVersion, 'id' | 'version_number'> | undefined;

async function publishDraft(
  session: EditorSession,
  { note, former }: { note: string; former: Former },
): Promise<void> {
  const { body } = await call('post', '/workflow/{workflow_id}/publish', {
    params: { workflow_id: session.agentId },
    query: note === '' ? {} : { note },
    ifMatch: session.base().etag,
  });
  const calls = await callsWith(session.agentId, former);
  await session.reload();
  session.store.setState({
    published: { version: body.version_number, former: former?.version_number ?? null, calls },
  });
}

/** How many calls go on with a version; null if that cannot be read. */
async function callsWith(agentId: number, version: Former): Promise<number | null> {
  if (version === undefined) return 0;
  const live = [{ attribute: 'status', type: 'radio', value: { status: 'in_progress' } }];
  try {
    const { body } = await call('get', '/workflow/{workflow_id}/runs', {
      params: { workflow_id: agentId },
      query: { limit: 100, filters: JSON.stringify(live) },
    });
    return body.runs.filter(({ definition_id: id }) => id === version.id).length;
  } catch {
    return null;
  }
}

/** What calls use from now on, and the way back. */
export function PublishedNote() {
  const published = useEditor((state) => state.published);
  return published !== null && <Answers published={published} />;
}

function Answers({ published }: { published: Published }) {
  const session = useSession();
  const version = useEditor((state) => state.version);
  const save = useEditor((state) => state.save);
  const { version: current } = usePublished(session.agentId);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isStill = version.version_number === published.version && save.is === 'saved';
  if (!isStill && !isBusy && error === null) return null;
  const { former, calls } = published;
  const goBack = async (to: number) => {
    setBusy(true);
    setError(null);
    try {
      await session.goBack(to);
      await publishDraft(session, { note: t('editor.backNote', { version: to }), former: current });
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(faultsOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div
      role={error === null ? 'status' : 'alert'}
      className={error === null ? 'banner is-ok' : 'banner is-bad'}
    >
      <CheckCircle2 className="i" aria-hidden size={16} strokeWidth={1.5} />
      <span className="grow">
        {error ?? t('editor.published', { version: published.version })}
        {error === null && former !== null && calls !== null && calls > 0 && (
          <> {t('editor.goOn', { count: calls, version: former })}</>
        )}
      </span>
      {former !== null && isStill && (
        <Button size="xs" needs="agents:write" sends isDisabled={isBusy} onPress={() => void goBack(former)}>
          {t('editor.goBack', { version: former })}
        </Button>
      )}
      <IconButton
        size="xs"
        icon={X}
        label={t('common.close')}
        onPress={() => {
          setError(null);
          session.store.setState({ published: null });
        }}
      />
    </div>
  );
}

/** Faults of the graph that only the server knows. */
function faultsOf({ detail, message }: ApiError): string {
  if (typeof detail === 'object' && detail !== null && 'errors' in detail && Array.isArray(detail.errors))
    return (detail.errors as { message: string }[]).map((each) => each.message).join('\n');
  return message;
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
            <b className="ink semi">{placeOf(session, problem)}</b> {problemText(problem)}
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

/** Whom the next call of the agent reaches with this version. */
function Affected() {
  const { agentId, base, draft } = useSession();
  const { data: agents } = useQuery(
    get('/workflow/overview', { query: { search: base().draft.name, limit: 500 } }),
  );
  const { data: all, isFetching } = useQuery({
    ...get('/campaign/', { query: { search: base().draft.name, logs: 0 } }),
    staleTime: 0,
  });
  const use = agents?.items.find(({ id }) => id === agentId)?.used_by;
  // A campaign that has begun with a pinned version keeps it. An older list may not have that it has begun.
  const pinned = isFetching
    ? undefined
    : all?.campaigns.flatMap(({ id, state, rules }) =>
        rules?.['agent_version'] === 'pinned' && state !== 'created' ? [id] : [],
      );
  const campaigns = use?.campaigns.filter(({ id }) => pinned?.includes(id) === false).map(({ name }) => name);
  const numbers = use?.phone_numbers.map(({ address, label }) => label ?? address);
  const triggers = draft().nodes.filter(
    ({ type, data: of }) => type === 'trigger' && of['enabled'] !== false,
  ).length;
  return (
    <dl className="aff">
      <Users names={pinned === undefined ? undefined : campaigns} of="Campaigns" />
      <Users names={numbers} of="Numbers" />
      <div>
        <dd>{triggers}</dd>
        <dt>{t('editor.affectedTriggers', { count: triggers })}</dt>
      </div>
    </dl>
  );
}

function Users({ names, of }: { names: readonly string[] | undefined; of: 'Campaigns' | 'Numbers' }) {
  const shown = names?.slice(0, 3).join(', ') ?? '';
  return (
    <div>
      <dd>{names?.length ?? '–'}</dd>
      <dt>{t(`editor.affected${of}`, { count: names?.length ?? 0 })}</dt>
      {shown !== '' && (
        <dd className="who">
          {(names?.length ?? 0) > 3
            ? t('editor.affectedMore', { names: shown, count: (names?.length ?? 0) - 3 })
            : shown}
        </dd>
      )}
    </div>
  );
}
