import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../../../src/contract/client-types.ts';
import { inspectDefinition } from '../../../../src/domain/graph/inspect.ts';
import { get } from '../../app/query.ts';
import { surroundingsOf } from '../../graph/problems.ts';
import type { Known } from './launch.ts';

type Agent = AnswerOf<'get', '/workflow/overview'>['items'][number];

/** Warnings about the published version of an agent, by the rules of the editor. Undefined until they are known. */
export function useAgentWarnings(agent: Agent | undefined): Known['agentWarnings'] {
  const version = agent?.published?.version_number;
  const found = useQuery({
    ...get('/workflow/{workflow_id}/versions/{version_number}', {
      params: { workflow_id: agent?.id ?? 0, version_number: version ?? 0 },
    }),
    enabled: version !== undefined,
  });
  const tools = useQuery(get('/tools/', {}));
  return useMemo(
    () =>
      version === undefined || found.data === undefined || tools.data === undefined
        ? undefined
        : inspectDefinition(
            found.data.workflow_json ?? {},
            surroundingsOf(tools.data, { hasNumbers: false }),
          ).filter(({ severity }) => severity === 'warning'),
    [version, found.data, tools.data],
  );
}
