import { summarizeAgents } from '../../services/agents/index.ts';
import {
  readFilters,
  getCurrentUsage,
  getCallReport,
  getDailyReport,
  getDailyUsage,
  listDailyRuns,
  listUsageRuns,
  reportUsageRuns,
} from '../../services/calls/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import type { Handlers } from '../bind.ts';
import { csvReply, streamReply } from '../answers/reply.ts';
import type { CallRouteDeps } from './calls.ts';
import { createdBetween } from './created-between.ts';
import { pageOf } from './page-of.ts';

type UsageRoute =
  | 'listUsageRuns'
  | 'downloadUsageReport'
  | 'getCurrentUsage'
  | 'getDailyUsage'
  | 'getCallReport'
  | 'getDailyReport'
  | 'listDailyRuns'
  | 'listReportWorkflows';

const dayOf = (query: { date: string; timezone: string; workflow_id?: number | undefined }) => ({
  date: query.date,
  zone: query.timezone,
  agentId: idOf(query.workflow_id),
});

/** Replaces an id that no row can have by 0, which no row has either and which answers can contain. */
const idOf = (id: number | undefined): number | undefined =>
  id === undefined || Number.isSafeInteger(id) ? id : 0;

/** Usage of an organization, and reports on its calls (contract 6.9, 15.2). */
export function usageHandlers({ publicUrl }: CallRouteDeps): Pick<Handlers<ServiceContext>, UsageRoute> {
  return {
    listUsageRuns: async ({ ctx, input: { query } }) => {
      const input = {
        ...createdBetween(query),
        filters: readFilters(query.filters, 'organization', ctx),
        page: pageOf(query.page),
        limit: query.limit ?? 50,
        sortBy: query.sort_by ?? 'created_at',
        sortOrder: query.sort_order ?? 'desc',
      };
      return listUsageRuns({ ctx, publicUrl, input });
    },
    downloadUsageReport: async ({ ctx, input: { query } }) => {
      const input = { ...createdBetween(query), filters: readFilters(query.filters, 'organization', ctx) };
      return csvReply(
        `usage_runs_${ctx.clock.now().toISOString().slice(0, 10)}.csv`,
        await reportUsageRuns({ ctx, publicUrl, input }),
      );
    },
    getCurrentUsage: ({ ctx }) => getCurrentUsage({ ctx }),
    getDailyUsage: async ({ ctx, input: { query } }) => {
      const filters = readFilters(query.filters, 'organization', ctx);
      return getDailyUsage({ ctx, input: { days: query.days ?? 7, zone: query.timezone, filters } });
    },
    getCallReport: async ({ ctx, input: { query } }) =>
      getCallReport({
        ctx,
        input: {
          from: query.from,
          to: query.to,
          zone: query.timezone,
          groupBy: query.group_by ?? 'day',
          agentId: idOf(query.workflow_id),
          campaignId: idOf(query.campaign_id),
          filters: readFilters(query.filters, 'organization', ctx),
        },
      }),
    getDailyReport: ({ ctx, input: { query } }) => getDailyReport({ ctx, input: dayOf(query) }),
    listDailyRuns: ({ ctx, input: { query } }) =>
      Promise.resolve(
        streamReply('application/json', listDailyRuns({ ctx, publicUrl, input: dayOf(query) }), {
          'Cache-Control': 'private, no-store',
        }),
      ),
    listReportWorkflows: ({ ctx }) => summarizeAgents({ ctx, input: { states: ['active', 'archived'] } }),
  };
}
