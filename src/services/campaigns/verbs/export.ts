import { getRow } from '../../../db/rows.ts';
import { directories } from '../../../db/tables/directories.ts';
import { csvLines, type ServiceContext, maxWorkbookRows, workbookOf } from '../../kernel/index.ts';
import { extractedNames, selectCalls, badRequest } from '../../calls/index.ts';
import { exportBatches } from './export-batches.ts';
import { errorHeader, resultHeader, toErrorRows, toResultRow, type ExportShape } from './export-mapper.ts';
import { findCampaign } from './internal.ts';

export type ExportKind = 'results' | 'errors';
export type ExportFormat = 'csv' | 'xlsx';

/**
 * Exports the rows of a campaign's file with their own columns and their results, or only the rows that
 * failed. It streams, so memory does not grow with the rows. Throws NotFoundError, and PreconditionError
 * (400) for more rows than a workbook holds, before the first chunk.
 */
export async function exportCampaign({
  ctx,
  publicUrl,
  input,
}: {
  ctx: ServiceContext;
  publicUrl: string;
  input: { id: number; kind: ExportKind; format: ExportFormat };
}): Promise<AsyncIterable<string | Uint8Array>> {
  const campaign = await findCampaign(ctx.db.manager, ctx, input.id);
  if (input.format === 'xlsx' && (campaign.totalRows ?? 0) > maxWorkbookRows)
    throw badRequest(
      `A workbook holds ${maxWorkbookRows} rows, and the campaign has ${campaign.totalRows}: ask for CSV`,
    );
  const { columns } = await getRow(ctx.db.manager, directories, {
    id: campaign.directoryId,
    organizationId: ctx.organizationId,
  });
  const variables =
    input.kind === 'errors'
      ? []
      : await extractedNames({ ctx, select: () => selectCalls(ctx, { campaignId: campaign.id }) });
  const lines = linesOf(exportBatches(ctx, campaign), {
    kind: input.kind,
    shape: { columns, variables, publicUrl },
  });
  return input.format === 'csv' ? asCsv(lines) : workbookOf(lines);
}

async function* linesOf(
  batches: ReturnType<typeof exportBatches>,
  { kind, shape }: { kind: ExportKind; shape: ExportShape },
): AsyncGenerator<string[][]> {
  yield [kind === 'results' ? resultHeader(shape) : errorHeader(shape)];
  for await (const rows of batches)
    yield kind === 'results'
      ? rows.map((row) => toResultRow(row, shape))
      : rows.flatMap((row) => toErrorRows(row, shape));
}

async function* asCsv(lines: AsyncIterable<string[][]>): AsyncGenerator<string> {
  for await (const rows of lines) if (rows.length > 0) yield csvLines(rows);
}
