import type { UpdateDirectoryRequest } from '../../contract/directories.ts';
import type { Mapping } from '../../domain/directory/mapping.ts';
import type { Reading } from '../../domain/directory/reading.ts';
import { repairRows, type CampaignDeps } from '../../services/campaigns/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import {
  cancelImport,
  deleteDirectory,
  downloadErrors,
  fitDirectory,
  getDirectory,
  listContacts,
  listDirectories,
  previewDirectory,
  startImport,
  updateDirectory,
  uploadDirectory,
  type DirectoryDeps,
} from '../../services/contacts/index.ts';
import type { Handlers, SentFile } from '../bind.ts';
import { openForm } from '../body/form.ts';
import { customerCsvReply, workbookReply } from '../answers/reply.ts';

export type DirectoryRouteDeps = Pick<CampaignDeps, 'directories' | 'campaignRuns'>;

type DirectoryRoute =
  | 'uploadDirectory'
  | 'listDirectories'
  | 'getDirectory'
  | 'updateDirectory'
  | 'deleteDirectory'
  | 'previewDirectory'
  | 'checkDirectory'
  | 'cancelDirectoryCheck'
  | 'repairDirectory'
  | 'listContacts'
  | 'downloadDirectoryErrors'
  | 'fitDirectory';

/** Contact files: uploaded, read, checked (docs/directories.md). */
export function directoryHandlers(
  campaignDeps: DirectoryRouteDeps,
): Pick<Handlers<ServiceContext>, DirectoryRoute> {
  const deps = campaignDeps.directories;
  return {
    uploadDirectory: ({ ctx, file }) => upload(ctx, deps, file),
    listDirectories: ({ ctx, input: { query } }) =>
      listDirectories({
        ctx,
        input: { limit: query.limit ?? 50, offset: query.offset ?? 0, search: query.search },
      }),
    getDirectory: ({ ctx, input: { params } }) =>
      getDirectory({ ctx, input: { directoryId: params.directory_id } }),
    updateDirectory: ({ ctx, input: { params, body } }) =>
      updateDirectory({
        ctx,
        deps,
        input: {
          directoryId: params.directory_id,
          name: body.name,
          reading: readingOf(body.reading),
          mapping: mappingOf(body.mapping),
        },
      }),
    deleteDirectory: ({ ctx, input: { params } }) =>
      deleteDirectory({ ctx, deps, input: { directoryId: params.directory_id } }),
    previewDirectory: ({ ctx, input: { params, query } }) =>
      previewDirectory({
        ctx,
        deps,
        input: {
          directoryId: params.directory_id,
          reading: readingOf(query) ?? {},
          phone: query.phone,
          defaultCountry: query.default_country,
        },
      }),
    checkDirectory: ({ ctx, input: { params } }) =>
      startImport({ ctx, deps, input: { directoryId: params.directory_id } }),
    cancelDirectoryCheck: ({ ctx, input: { params } }) =>
      cancelImport({ ctx, deps, input: { directoryId: params.directory_id } }),
    repairDirectory: async ({ ctx, input: { params, body } }) => {
      const { doNotCall, campaignIds, ...counts } = await repairRows({
        ctx,
        deps: campaignDeps,
        input: { directoryId: params.directory_id, repairedDirectoryId: body.directory_id },
      });
      return { ...counts, do_not_call: doNotCall, campaign_ids: campaignIds };
    },
    listContacts: ({ ctx, input: { params, query } }) =>
      listContacts({
        ctx,
        input: {
          directoryId: params.directory_id,
          state: query.state,
          finding: query.finding,
          search: query.search,
          cursor: Number(query.cursor ?? 0),
          limit: query.limit ?? 50,
        },
      }),
    downloadDirectoryErrors: async ({ ctx, input: { params, query } }) => {
      const { kind, fileName, charset, pieces } = await downloadErrors({
        ctx,
        deps,
        input: { directoryId: params.directory_id, includesWarnings: query.include_warnings ?? false },
      });
      return kind === 'csv' ? customerCsvReply(fileName, pieces, charset) : workbookReply(fileName, pieces);
    },
    fitDirectory: ({ ctx, input: { params, query } }) =>
      fitDirectory({ ctx, input: { directoryId: params.directory_id, agentId: query.workflow_id } }),
  };
}

/** Uploads a directory from a form. Stops reading the form when the answer is known. */
async function upload(
  ctx: ServiceContext,
  deps: DirectoryDeps,
  sent: SentFile,
): ReturnType<typeof uploadDirectory> {
  const { fileName, bytes, fields, stop } = await openForm(sent);
  try {
    return await uploadDirectory({
      ctx,
      deps,
      file: {
        fileName,
        bytes,
        announcedBytes: sent.announcedBytes,
        name: async () => (await fields()).get('name'),
      },
    });
  } finally {
    stop();
  }
}

type WireReading = NonNullable<UpdateDirectoryRequest['reading']>;

/** Converts a reading. Absent fields stay absent, which means unchanged. */
function readingOf(wire: WireReading | undefined): Partial<Reading> | undefined {
  if (wire === undefined) return undefined;
  const { encoding, separator, sheet, header_line: headerLine } = wire;
  return {
    ...(encoding !== undefined && { encoding }),
    ...(separator !== undefined && { separator }),
    ...(sheet !== undefined && { sheet }),
    ...(headerLine !== undefined && { headerLine }),
  };
}

function mappingOf(wire: UpdateDirectoryRequest['mapping']): Partial<Mapping> | undefined {
  if (wire === undefined) return undefined;
  const {
    phone,
    identifier,
    time_zone: timeZone,
    do_not_call: doNotCall,
    priority,
    opening_line: opening,
    skipped,
    default_country: defaultCountry,
    unassigned_numbers: unassigned,
    duplicates,
  } = wire;
  return {
    ...(phone !== undefined && { phone }),
    ...(identifier !== undefined && { identifier }),
    ...(timeZone !== undefined && { timeZone }),
    ...(doNotCall !== undefined && { doNotCall }),
    ...(priority !== undefined && { priority }),
    ...(opening !== undefined && {
      openingLine: opening && {
        type: opening.type,
        text: opening.text ?? null,
        recordingId: opening.recording_id ?? null,
      },
    }),
    ...(skipped !== undefined && { skipped }),
    ...(defaultCountry !== undefined && { defaultCountry }),
    ...(unassigned !== undefined && { unassigned }),
    ...(duplicates !== undefined && { duplicates }),
  };
}
