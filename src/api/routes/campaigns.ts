import type { z } from 'zod';
import type { RedialCampaignRequest, UpdateCampaignRequest } from '../../contract/campaigns.ts';
import type { CampaignSettings } from '../../domain/campaign/settings.ts';
import { NotFoundError } from '../../domain/errors.ts';
import {
  createCampaign,
  estimateCampaign,
  estimateRest,
  exportCampaign,
  getCampaign,
  getCampaignActivity,
  getCampaignDefaults,
  getCampaignProgress,
  getCampaignRow,
  listCampaignRows,
  listCampaignRuns,
  listCampaigns,
  pauseCampaign,
  redialCampaign,
  reportCampaign,
  resumeCampaign,
  sourceKeyOf,
  startCampaign,
  stopCampaign,
  updateCampaign,
  type CampaignDeps,
  type RedialInput,
} from '../../services/campaigns/index.ts';
import { readFilters } from '../../services/calls/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import type { Handlers } from '../bind.ts';
import { csvReply, workbookReply } from '../answers/reply.ts';
import type { StoredFiles } from '../stored-files.ts';
import { createdBetween } from './created-between.ts';
import { pageOf } from './page-of.ts';

export interface CampaignRouteDeps extends CampaignDeps {
  /** Base URL of the public links in a call. */
  publicUrl: string;
  /** Absent if the installation has no file storage. */
  storage?: StoredFiles | undefined;
}

const sourceLifetimeSeconds = 3600;

type Route<Name extends keyof Handlers<ServiceContext>> = Pick<Handlers<ServiceContext>, Name>;

/** Campaigns (contract 11.5 to 11.8). */
export const campaignHandlers = (deps: CampaignRouteDeps) => ({
  ...settingHandlers(deps),
  ...runningHandlers(deps),
  ...resultHandlers(deps),
});

const idOf = (params: { campaign_id: number }) => ({ id: params.campaign_id });

function settingHandlers(
  deps: CampaignRouteDeps,
): Route<
  | 'listCampaigns'
  | 'createCampaign'
  | 'estimateCampaign'
  | 'getCampaignDefaults'
  | 'getCampaign'
  | 'updateCampaign'
  | 'getCampaignSource'
> {
  const { storage } = deps;
  return {
    listCampaigns: ({ ctx, input: { query } }) =>
      listCampaigns({
        ctx,
        deps,
        input: {
          search: query.search,
          standing: query.standing,
          limit: query.limit,
          offset: query.offset ?? 0,
          logs: query.logs ?? 20,
        },
      }),
    createCampaign: ({ ctx, input: { body } }) =>
      createCampaign({
        ctx,
        deps,
        input: {
          name: body.name,
          agentId: body.workflow_id,
          configurationId: body.telephony_configuration_id ?? null,
          settings: {
            retry_config: body.retry_config ?? null,
            max_concurrency: body.max_concurrency ?? null,
            schedule_config: body.schedule_config ?? null,
            circuit_breaker: body.circuit_breaker ?? null,
            rules: body.rules ?? null,
          },
          file: {
            fileKey: body.source_id,
            identifierColumn: body.identifier_column ?? undefined,
            encoding: body.encoding ?? undefined,
            isStrict: body.strict,
          },
        },
      }),
    estimateCampaign: ({ ctx, input: { body } }) =>
      estimateCampaign({
        ctx,
        deps,
        input: {
          fileKey: body.source_id,
          agentId: body.workflow_id ?? null,
          configurationId: body.telephony_configuration_id ?? null,
          settings: {
            retry_config: null,
            max_concurrency: body.max_concurrency ?? null,
            schedule_config: body.schedule_config ?? null,
            circuit_breaker: null,
            rules: body.rules ?? null,
          },
        },
      }),
    getCampaignDefaults: ({ ctx }) => getCampaignDefaults({ ctx, deps }),
    getCampaign: ({ ctx, input: { params } }) => getCampaign({ ctx, deps, input: idOf(params) }),
    updateCampaign: ({ ctx, input: { params, headers, body } }) =>
      updateCampaign({
        ctx,
        deps,
        input: {
          ...idOf(params),
          name: body.name ?? undefined,
          settings: changedSettings(body),
          ifMatch: headers['If-Match'],
        },
      }),
    getCampaignSource: async ({ ctx, input: { params } }) => {
      const key = await sourceKeyOf({ ctx, input: idOf(params) });
      if (storage === undefined || (await storage.facts(key)) === null)
        throw new NotFoundError('The file of this campaign no longer exists');
      return {
        download_url: await storage.downloadUrl({
          key,
          isInline: false,
          lifetimeSeconds: sourceLifetimeSeconds,
        }),
        expires_in: sourceLifetimeSeconds,
      };
    },
  };
}

function runningHandlers(
  deps: CampaignRouteDeps,
): Route<
  | 'startCampaign'
  | 'pauseCampaign'
  | 'resumeCampaign'
  | 'stopCampaign'
  | 'redialCampaign'
  | 'getCampaignProgress'
  | 'getCampaignEstimate'
  | 'getCampaignActivity'
> {
  return {
    startCampaign: ({ ctx, input: { params } }) => startCampaign({ ctx, deps, input: idOf(params) }),
    pauseCampaign: ({ ctx, input: { params } }) => pauseCampaign({ ctx, deps, input: idOf(params) }),
    resumeCampaign: ({ ctx, input: { params } }) => resumeCampaign({ ctx, deps, input: idOf(params) }),
    stopCampaign: ({ ctx, input: { params, body } }) =>
      stopCampaign({ ctx, deps, input: { ...idOf(params), mode: body.mode } }),
    redialCampaign: ({ ctx, input: { params, body } }) =>
      redialCampaign({
        ctx,
        deps,
        input: {
          ...idOf(params),
          name: body.name ?? undefined,
          chosen: chosenOf(body),
          retry: body.retry_config ?? undefined,
        },
      }),
    getCampaignProgress: ({ ctx, input: { params } }) =>
      getCampaignProgress({ ctx, deps, input: idOf(params) }),
    getCampaignEstimate: ({ ctx, input: { params } }) => estimateRest({ ctx, deps, input: idOf(params) }),
    getCampaignActivity: ({ ctx, input: { params, query } }) =>
      getCampaignActivity({
        ctx,
        input: { ...idOf(params), bucketSeconds: query.bucket ?? 300, limit: query.limit ?? 72 },
      }),
  };
}

function resultHandlers({
  publicUrl,
}: CampaignRouteDeps): Route<
  'listCampaignRuns' | 'downloadCampaignReport' | 'listCampaignRows' | 'getCampaignRow' | 'exportCampaign'
> {
  return {
    listCampaignRuns: async ({ ctx, input: { params, query } }) =>
      listCampaignRuns({
        ctx,
        publicUrl,
        input: {
          ...idOf(params),
          page: pageOf(query.page),
          limit: query.limit ?? 50,
          sortBy: query.sort_by ?? 'created_at',
          sortOrder: query.sort_order ?? 'desc',
          filters: readFilters(query.filters, 'agent', ctx),
        },
      }),
    downloadCampaignReport: async ({ ctx, input: { params, query } }) =>
      csvReply(
        `campaign_${params.campaign_id}_report.csv`,
        await reportCampaign({ ctx, publicUrl, input: { ...idOf(params), ...createdBetween(query) } }),
      ),
    listCampaignRows: ({ ctx, input: { params, query } }) =>
      listCampaignRows({
        ctx,
        input: {
          ...idOf(params),
          state: query.state,
          reason: query.reason,
          outcome: query.outcome,
          number: query.number,
          after: Math.min(query.after ?? 0, Number.MAX_SAFE_INTEGER),
          limit: query.limit ?? 50,
        },
      }),
    getCampaignRow: ({ ctx, input: { params } }) =>
      getCampaignRow({ ctx, publicUrl, input: { ...idOf(params), row: params.row } }),
    exportCampaign: async ({ ctx, input: { params, query } }) => {
      const { kind = 'results', format = 'csv' } = query;
      const pieces = await exportCampaign({ ctx, publicUrl, input: { ...idOf(params), kind, format } });
      const fileName = `campaign_${params.campaign_id}_${kind}.${format}`;
      return format === 'csv' ? csvReply(fileName, pieces) : workbookReply(fileName, pieces);
    },
  };
}

/** The settings that were sent. Null means unchanged. */
function changedSettings({
  retry_config,
  max_concurrency,
  schedule_config,
  circuit_breaker,
  rules,
}: z.output<typeof UpdateCampaignRequest>): Partial<CampaignSettings> {
  return {
    ...(retry_config == null ? {} : { retry_config }),
    ...(max_concurrency == null ? {} : { max_concurrency }),
    ...(schedule_config == null ? {} : { schedule_config }),
    ...(circuit_breaker == null ? {} : { circuit_breaker }),
    ...(rules == null ? {} : { rules }),
  };
}

/** Outcomes in the request replace the reasons. */
const chosenOf = ({
  outcomes,
  retry_on_voicemail: voicemail,
  retry_on_no_answer: noAnswer,
  retry_on_busy: busy,
}: z.output<typeof RedialCampaignRequest>): RedialInput['chosen'] =>
  outcomes == null ? { reasons: { voicemail, noAnswer, busy } } : { outcomes };
