import { findRow } from '../../../db/rows.ts';
import type { AgentRow } from '../../../db/tables/agents.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import type { DirectoryRow } from '../../../db/tables/directories.ts';
import { fitToAgent } from '../../../domain/directory/fit-to-agent.ts';
import type { FindingCode } from '../../../domain/directory/findings.ts';
import type { ImportTotals } from '../../../domain/directory/totals.ts';
import { fetchesBeforeCall } from '../../../domain/graph/fetches-before-call.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { emptyColumns, registerUpload, scanDirectory } from '../../contacts/index.ts';
import { badRequest } from '../../calls/index.ts';
import type { CampaignDeps } from '../records/deps.ts';
import type { CampaignLogEntry } from '../records/log.ts';

/**
 * Largest file to read as a whole before a campaign is created: the maximum of the published interface
 * (contract 11.1).
 */
const maxScannedBytes = 10_485_760;

export interface FileWish {
  fileKey: string;
  identifierColumn: string | undefined;
  isStrict: boolean;
}

export interface CheckedFile {
  directory: DirectoryRow;
  /** Entries for the campaign's log. */
  notes: CampaignLogEntry[];
}

/**
 * Checks whether an agent can call a file (contract 11.3). Bad rows do not refuse the file, unless `strict`
 * asks for that. An imported file is judged by its import; a large file without an import is judged when it
 * is read. Throws PreconditionError (400) with a message for people.
 */
export async function checkFile(
  ctx: ServiceContext,
  deps: Pick<CampaignDeps, 'directories'>,
  { agent, wish }: { agent: AgentRow; wish: FileWish },
): Promise<CheckedFile> {
  const directory = await registerUpload({
    ctx,
    deps: deps.directories,
    input: {
      fileKey: wish.fileKey,
      ...(wish.identifierColumn === undefined ? {} : { identifierColumn: wish.identifierColumn }),
    },
  });
  const { required, warnings } = await fitOf(ctx, agent, directory);
  const scan = await scanOf(ctx, deps, { directory, required, isStrict: wish.isStrict });
  if (scan === null) return { directory, notes: warnings };
  requireRows(scan.totals);
  if (wish.isStrict) requireNoFault(scan.lines);
  const empty = emptyColumns({ state: 'ready', columns: directory.columns, totals: scan.totals }, required);
  return {
    directory,
    notes: [
      ...warnings,
      ...empty.map(({ code, variable, rows, message }) => ({
        level: 'warning' as const,
        event: 'variables_checked',
        message,
        details: { code, name: variable, rows },
      })),
      noteOf(scan),
    ],
  };
}

type Scan = Awaited<ReturnType<typeof scanDirectory>>;

/**
 * Throws PreconditionError (400) for variables without a default that have no column. A file that cannot be
 * compared is not refused.
 */
async function fitOf(
  ctx: ServiceContext,
  { publishedVersionId, organizationId }: AgentRow,
  { columns, mapping }: DirectoryRow,
): Promise<{ required: string[]; warnings: CampaignLogEntry[] }> {
  const version =
    publishedVersionId === null
      ? null
      : await findRow(ctx.db.manager, agentVersions, { id: publishedVersionId, organizationId });
  if (version === null)
    return {
      required: [],
      warnings: [
        {
          level: 'warning',
          event: 'agent_not_published',
          message:
            'The agent is not published: the file was not compared with its prompts, and the campaign cannot start.',
        },
      ],
    };
  const { missing, required, warnings } = fitToAgent({
    definition: version.definition,
    columns,
    mapping,
    fetchesBeforeCall: fetchesBeforeCall(version.definition),
  });
  if (missing.length > 0)
    throw badRequest(
      `The file has no column for these variables of the agent's published prompts: ${missing.join(', ')}. Add the columns, or give the variables a default: {{name | default}}`,
    );
  return {
    required,
    warnings: warnings.map(({ code, name, message }) => ({
      level: 'warning',
      event: 'variables_checked',
      message,
      details: { code, name },
    })),
  };
}

async function scanOf(
  ctx: ServiceContext,
  deps: Pick<CampaignDeps, 'directories'>,
  { directory, required, isStrict }: { directory: DirectoryRow; required: string[]; isStrict: boolean },
): Promise<Scan | null> {
  if (directory.state === 'ready' && !isStrict) return { totals: directory.totals, lines: [] };
  if (directory.bytes <= maxScannedBytes)
    return await scanDirectory({ ctx, deps: deps.directories, directory, input: { required } });
  if (isStrict) throw badRequest('strict is for files of at most 10 MB');
  return null;
}

function requireRows({ rows, ok }: ImportTotals): void {
  if (rows === 0) throw badRequest('The file has no data row');
  if (ok === 0) throw badRequest(`The file has ${rows} rows, and none of them can be called`);
}

/** What refuses a file in strict mode, by the published rules (contract 11.3). */
const strictFaults: Partial<Record<FindingCode, string>> = {
  duplicate: 'Repeated phone numbers',
  variable_empty: 'Empty cells of a variable that the agent needs',
};

function requireNoFault(lines: Scan['lines']): void {
  const faults = lines.filter(
    ({ code, level }) =>
      code in strictFaults || (level === 'error' && code.startsWith('phone_') && code !== 'phone_missing'),
  );
  if (faults.length === 0) return;
  const words = faults.map(({ code, column, count, first }) => {
    const what = strictFaults[code] ?? 'Phone numbers that cannot be called';
    const more = count > first.length ? ` and ${count - first.length} more` : '';
    return `${what}${code === 'variable_empty' && column !== null ? ` (${column})` : ''}: lines ${first.join(', ')}${more}`;
  });
  throw badRequest([...new Set(words)].join('. '));
}

/** Counts only; the rows are in the directory. */
function noteOf({ totals }: Scan): CampaignLogEntry {
  const { rows, ok, blank, invalid, duplicate, noPhone, suppressed, doNotCall, warned } = totals;
  const left = rows - ok;
  const words =
    left === 0
      ? `All ${rows} rows can be called`
      : `${ok} of ${rows} rows can be called; ${left} are left out`;
  return {
    level: left === 0 && warned === 0 ? 'info' : 'warning',
    event: 'file_checked',
    message: warned === 0 ? words : `${words}; ${warned} rows have a warning`,
    details: {
      rows,
      ok,
      blank,
      invalid,
      duplicate,
      no_phone: noPhone,
      suppressed,
      do_not_call: doNotCall,
      warned,
      findings: totals.findings,
    },
  };
}
