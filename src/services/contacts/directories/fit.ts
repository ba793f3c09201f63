import { counted } from '../../../domain/counted.ts';
import type { DirectoryFit } from '../../../contract/directories.ts';
import { findRow } from '../../../db/rows.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import type { DirectoryRow } from '../../../db/tables/directories.ts';
import { fitToAgent } from '../../../domain/directory/fit-to-agent.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { fetchesBeforeCall } from '../../../domain/graph/fetches-before-call.ts';
import { findAgent } from '../../agents/index.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { findDirectory } from './internal.ts';

interface FitInput {
  directoryId: number;
  agentId: number;
}

/**
 * Whether a directory has what an agent's prompts need, by the version that calls use: the published one,
 * otherwise the draft. Throws NotFoundError.
 */
export async function fitDirectory({
  ctx,
  input: { directoryId, agentId },
}: {
  ctx: ServiceContext;
  input: FitInput;
}): Promise<DirectoryFit> {
  const { manager } = ctx.db;
  const directory = await findDirectory(manager, ctx, directoryId);
  const { publishedVersionId, draftVersionId } = await findAgent(manager, ctx, agentId);
  const versionId = publishedVersionId ?? draftVersionId;
  const version =
    versionId === null
      ? null
      : await findRow(manager, agentVersions, { id: versionId, agentId, organizationId: ctx.organizationId });
  if (version === null) throw new NotFoundError('Workflow has no definition');
  const { columns, mapping } = directory;
  const { missing, required, warnings } = fitToAgent({
    definition: version.definition,
    columns,
    mapping,
    fetchesBeforeCall: fetchesBeforeCall(version.definition),
  });
  const misfits = warnings.map(({ code, name, message }) => ({ code, variable: name, rows: null, message }));
  return { missing, required, warnings: [...misfits, ...emptyColumns(directory, required)] };
}

/**
 * Columns that a prompt needs, with the number of rows in which they are empty, as far as a check has
 * counted.
 */
export function emptyColumns(
  { state, columns, totals }: Pick<DirectoryRow, 'state' | 'columns' | 'totals'>,
  required: readonly string[],
): DirectoryFit['warnings'] {
  if (state !== 'ready') return [];
  return required.flatMap((name) => {
    const rows = totals.emptyCells[columns.indexOf(name)] ?? 0;
    return rows === 0
      ? []
      : [
          {
            code: 'variable_empty',
            variable: name,
            rows,
            message: `The column ${name} is empty in ${counted(rows, 'row')} that would be called, and the agent uses it without a default text`,
          },
        ];
  });
}
