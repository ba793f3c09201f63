import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { WorkflowRun } from '../../../../src/contract/calls.ts';
import { get, queries } from '../../app/query.ts';
import { useTopic } from '../../live/topics.ts';
import { withNews } from '../../live/with-news.ts';

const wide = matchMedia('(min-width: 1100px)');
/** Whether there is room for a column beside the words. */
export const useIsWide = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      wide.addEventListener('change', listener);
      return () => wide.removeEventListener('change', listener);
    },
    () => wide.matches,
  );

/** The query of what a call has come to. */
export const liveOf = ({ id, workflow_id }: Pick<WorkflowRun, 'id' | 'workflow_id'>) =>
  get('/workflow/{workflow_id}/runs/{run_id}/live', { params: { workflow_id, run_id: id } });

/** What the call has come to: as the stream of events tells it, else asked for while it goes on. */
export function useLiveRun(
  run: Pick<WorkflowRun, 'id' | 'workflow_id' | 'is_completed'>,
  { everyMs = 1000 }: { everyMs?: number } = {},
) {
  const query = liveOf(run);
  const isTold = useTopic(run.is_completed ? null : `call:${run.id}`, ({ data }) => {
    const next = withNews(queries.getQueryData(query.queryKey), data);
    if (next === null) void queries.invalidateQueries({ queryKey: query.queryKey });
    else queries.setQueryData(query.queryKey, next);
  });
  return useQuery({ ...query, refetchInterval: run.is_completed || isTold ? false : everyMs });
}

/**
 * The newest versions of the agent, and that of the call, however old it is; undefined until they are known.
 */
export function useVersions({ workflow_id: agentId, definition_id: pinned }: WorkflowRun) {
  const { data: newest } = useQuery(versionsOf(agentId, 0));
  const isOlder = newest?.length === versionsPage && newest.every(({ id }) => id !== pinned);
  const { data: older } = useQuery({
    queryKey: ['version of a call', agentId, pinned],
    queryFn: async () => {
      for (let offset = versionsPage; ; offset += versionsPage) {
        const page = await queries.fetchQuery(versionsOf(agentId, offset));
        const found = page.find(({ id }) => id === pinned);
        if (found !== undefined || page.length < versionsPage) return found ?? null;
      }
    },
    enabled: isOlder,
  });
  return older == null ? newest : [...(newest ?? []), older];
}

const versionsPage = 100;
const versionsOf = (agentId: number, offset: number) =>
  get('/workflow/{workflow_id}/versions', {
    params: { workflow_id: agentId },
    query: { limit: versionsPage, ...(offset === 0 ? {} : { offset }) },
  });
