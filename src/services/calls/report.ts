import { And, LessThan, MoreThan, MoreThanOrEqual, type FindOperator, type FindOptionsWhere } from 'typeorm';
import { agentVersions } from '../../db/tables/agent-versions.ts';
import { calls, type CallRow } from '../../db/tables/calls.ts';
import { nodesOf, ownObject } from '../../domain/graph/definition.ts';
import { variablesOf } from '../../domain/extraction/variables.ts';
import { findAgent } from '../agents/index.ts';
import type { ServiceContext } from '../context.ts';
import { csvLines } from './csv.ts';
import { toReportRow, reportHeader } from './mapper.ts';
import { withPublicToken } from './public-access.ts';

export interface ReportInput {
  agentId: number;
  /** Inclusive; absent = from the first call on. */
  from?: Date | undefined;
  /** Exclusive; absent = to the last. */
  until?: Date | undefined;
}

/** Rows that are read and written at a time: what a report of any length takes of memory. */
const batchSize = 500;

/**
 * The calls of an agent as CSV, piece by piece (contract 1.4, 11.8), oldest first. There is a column for every variable that the
 * versions of these calls extract. Throws NotFoundError before the first piece.
 */
export async function reportCalls({ ctx, publicUrl, input }: { ctx: ServiceContext; publicUrl: string; input: ReportInput }): Promise<AsyncIterable<string>> {
  const agent = await findAgent(ctx.db.manager, ctx, input.agentId);
  const where = { organizationId: ctx.organizationId, agentId: agent.id, ...createdBetween(input) };
  const variables = await extractedNames(ctx, where);
  return pieces({ ctx, where, variables, publicUrl });
}

type Where = FindOptionsWhere<CallRow> & { organizationId: number };

async function* pieces({ ctx, where, variables, publicUrl }: { ctx: ServiceContext; where: Where; variables: string[]; publicUrl: string }): AsyncGenerator<string> {
  yield csvLines([reportHeader(variables)]);
  for (let last = 0; ; ) {
    const rows = await ctx.db.getRepository(calls).find({ where: { ...where, id: MoreThan(last) }, order: { id: 'ASC' }, take: batchSize });
    const lines: string[][] = [];
    for (const row of rows) lines.push(toReportRow(await withPublicToken(ctx, row), { variables, publicUrl }));
    if (lines.length > 0) yield csvLines(lines);
    if (rows.length < batchSize) return;
    last = rows.at(-1)?.id ?? last;
  }
}

function createdBetween({ from, until }: ReportInput): { createdAt?: FindOperator<Date> } {
  const bounds = [...(from === undefined ? [] : [MoreThanOrEqual(from)]), ...(until === undefined ? [] : [LessThan(until)])];
  return bounds.length === 0 ? {} : { createdAt: And(...bounds) };
}

async function extractedNames(ctx: ServiceContext, where: Where): Promise<string[]> {
  const used = await ctx.db.getRepository(calls).createQueryBuilder('call').select('DISTINCT call.version_id', 'id').where(where).getRawMany<{ id: string | number }>();
  const names = new Set<string>();
  for (const { id } of used.toSorted((one, other) => Number(one.id) - Number(other.id))) {
    const version = await ctx.db.getRepository(agentVersions).findOneBy({ id: Number(id), organizationId: ctx.organizationId });
    for (const node of nodesOf(version?.definition ?? {})) for (const { name } of variablesOf(ownObject(node, 'data'))) names.add(name);
  }
  return [...names];
}
