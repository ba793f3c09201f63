import { findRow, type NarrowedQuery } from '../../../db/rows.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import { nodesOf, ownObject } from '../../../domain/graph/definition.ts';
import { variablesOf } from '../../../domain/graph/extraction-variables.ts';
import { findAgent } from '../../agents/index.ts';
import { type ServiceContext, csvLines } from '../../kernel/index.ts';
import { callBatches } from './batches.ts';
import { toReportRow, reportHeader } from './mapper.ts';
import { withPublicToken } from './public-access.ts';
import { selectCalls } from './select.ts';
import { asShownTo } from './without-person.ts';

export interface ReportInput {
  agentId: number;
  /** Inclusive; absent = from the first call. */
  from?: Date | undefined;
  /** Exclusive; absent = to the last call. */
  until?: Date | undefined;
}

/**
 * Streams the calls of an agent as CSV (contract 1.4, 11.8), oldest first. There is a column for every
 * variable that the versions of these calls extract. Throws NotFoundError before the first piece.
 */
export async function reportCalls({
  ctx,
  publicUrl,
  input,
}: {
  ctx: ServiceContext;
  publicUrl: string;
  input: ReportInput;
}): Promise<AsyncIterable<string>> {
  const agent = await findAgent(ctx.db.manager, ctx, input.agentId);
  return await reportOf({ ctx, publicUrl, select: () => selectCalls(ctx, { ...input, agentId: agent.id }) });
}

export interface Reporting {
  ctx: ServiceContext;
  publicUrl: string;
  /** Builds a new query of the reported calls, with the alias `call`. */
  select: () => NarrowedQuery<CallRow>;
}

/** The same report for any selection of an organization's calls. */
export async function reportOf(reporting: Reporting): Promise<AsyncIterable<string>> {
  return pieces(reporting, await extractedNames(reporting));
}

async function* pieces({ ctx, publicUrl, select }: Reporting, variables: string[]): AsyncGenerator<string> {
  yield csvLines([reportHeader(variables)]);
  for await (const rows of callBatches(select)) {
    const lines: string[][] = [];
    for (const row of rows)
      lines.push(toReportRow(asShownTo(ctx, await withPublicToken(ctx, row)), { variables, publicUrl }));
    yield csvLines(lines);
  }
}

/** Names of the variables that the versions of these calls extract. */
export async function extractedNames({ ctx, select }: Pick<Reporting, 'ctx' | 'select'>): Promise<string[]> {
  const used = await select().select('DISTINCT call.version_id', 'id').getRawMany<{ id: string | number }>();
  const names = new Set<string>();
  for (const { id } of used.toSorted((one, other) => Number(one.id) - Number(other.id))) {
    const version = await findRow(ctx.db, agentVersions, {
      id: Number(id),
      organizationId: ctx.organizationId,
    });
    for (const node of nodesOf(version?.definition ?? {}))
      for (const { name } of variablesOf(ownObject(node, 'data'))) names.add(name);
  }
  return [...names];
}
