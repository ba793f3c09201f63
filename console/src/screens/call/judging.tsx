import { useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import type { WorkflowVersion } from '../../../../src/contract/agents.ts';
import type { WorkflowRun } from '../../../../src/contract/calls.ts';
import { call } from '../../app/api.ts';
import { nowMs } from '../../app/clock.ts';
import { date, timeOfDay } from '../../app/format.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { judgesCalls } from './version-graph.ts';

type JudgedAgain = NonNullable<WorkflowRun['judged_again']>;
type Version = Pick<WorkflowVersion, 'id' | 'version_number' | 'status' | 'workflow_json'>;

/** After this time nothing judges any more, and it can be asked for again. */
const maxJudgingMs = 6 * 60_000;

/** Whether a judgment that was asked for is under way. */
export function isJudging({ judged_again: again }: WorkflowRun): boolean {
  return again?.state === 'judging' && nowMs() - Date.parse(again.requested_at) < maxJudgingMs;
}

/** How judging again stands, and the way to ask for it: by the version that spoke, or by the published one. */
export function JudgeAgain({
  run,
  versions,
}: {
  run: WorkflowRun;
  versions: readonly Version[] | undefined;
}) {
  const client = useQueryClient();
  const { run: begin, error, isBusy } = useAction();
  if (!run.is_completed || run.transcript_erased_at !== null || versions === undefined) return null;
  const pinned = versions.find(({ id }) => id === run.definition_id);
  const published = versions.find((each) => each.status === 'published');
  const why = whyNot(run, pinned, published);
  const judge = (version: 'pinned' | 'published') =>
    begin(async () => {
      await call('post', '/workflow/{workflow_id}/runs/{run_id}/judge', {
        params: { workflow_id: run.workflow_id, run_id: run.id },
        body: { version },
      });
      await client.invalidateQueries({ queryKey: ['/workflow/{workflow_id}/runs/{run_id}'] });
    });
  const isOff = why !== null || isBusy || isJudging(run);
  const button = (onPress?: () => void) => (
    <Button
      icon={RotateCcw}
      needs="calls:trigger"
      isDisabled={isOff}
      {...(onPress === undefined ? {} : { onPress })}
    >
      {t('call.judgeAgain')}
    </Button>
  );
  return (
    <div className="judging">
      <div className="grid min-w-0 gap-1">
        <div role="status">
          {run.judged_again !== null && <Standing again={run.judged_again} versions={versions} />}
        </div>
        {why !== null && <p className="text-muted">{why}</p>}
        <Refusal error={error} />
      </div>
      {published === undefined || published.id === pinned?.id || pinned === undefined ? (
        button(() => judge(pinned === undefined ? 'published' : 'pinned'))
      ) : (
        <Menu
          label={t('call.judgeAgain')}
          trigger={button()}
          entries={[
            entryOf('published', published, () => judge('published')),
            entryOf('pinned', pinned, () => judge('pinned')),
          ]}
        />
      )}
    </div>
  );
}

function entryOf(id: 'pinned' | 'published', version: Version, onAction: () => void) {
  const isAble = judgesCalls(version.workflow_json);
  return {
    id,
    label: t(id === 'pinned' ? 'call.judgeBySpoken' : 'call.judgeByPublished', {
      version: version.version_number,
    }),
    isDisabled: !isAble,
    ...(isAble ? {} : { note: t('call.noQaNode') }),
    onAction,
  };
}

/** Why nobody can judge the call; null if somebody can. */
function whyNot(
  run: WorkflowRun,
  pinned: Version | undefined,
  published: Version | undefined,
): string | null {
  if (run.transcript_url === null) return t('call.judgeNothingSaid');
  if ([pinned, published].some((each) => each !== undefined && judgesCalls(each.workflow_json))) return null;
  return t('call.judgeNoNode');
}

function Standing({ again, versions }: { again: JudgedAgain; versions: readonly Version[] }) {
  const version = versions.find(({ id }) => id === again.definition_id)?.version_number ?? '–';
  const last =
    again.judged_at === null || again.judged_by === null
      ? null
      : t('call.judgedAgain', {
          at: moment(again.judged_at),
          who: authorName(again.judged_by),
          count: again.count,
        });
  if (again.state === 'judging') return <p>{t('call.isJudging', { version })}</p>;
  return (
    <>
      {last !== null && <p className="text-muted">{last}</p>}
      {again.state === 'failed' && (
        <p className="text-bad-text">
          {t('call.judgingFailed', { at: moment(again.requested_at), reason: again.reason ?? '' })}
        </p>
      )}
    </>
  );
}

function moment(at: string): string {
  const then = new Date(at);
  return `${date(then)}, ${timeOfDay(then)}`;
}

/** Who asked for something, in words. */
export function authorName({ type, name }: JudgedAgain['requested_by']): string {
  return type === 'api_key' ? t('call.apiKey', { name: name ?? '–' }) : (name ?? '–');
}
