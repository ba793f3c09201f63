import { useQuery } from '@tanstack/react-query';
import type { WorkflowRun } from '../../../../src/contract/calls.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { campaignRowOf } from './facts.ts';

/** Where in a campaign a call stands: its name, the row, and which attempt at the row it was. Null: not known. */
export function useCampaignPlace(run: WorkflowRun, id: number) {
  const row = campaignRowOf(run)?.row ?? null;
  const { data: campaign } = useQuery(get('/campaign/{campaign_id}', { params: { campaign_id: id } }));
  const { data: found } = useQuery({
    ...get('/campaign/{campaign_id}/rows/{row}', { params: { campaign_id: id, row: row ?? 0 } }),
    enabled: row !== null,
  });
  return {
    name: campaign?.name ?? t('call.campaign', { id }),
    row,
    attempt: found?.history.find((each) => each.workflow_run_id === run.id)?.attempt ?? null,
  };
}
