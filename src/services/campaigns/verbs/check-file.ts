import { counted } from '../../../domain/counted.ts';
import { findRow } from '../../../db/rows.ts';
import type { AgentRow } from '../../../db/tables/agents.ts';
import { agentVersions } from '../../../db/tables/agent-versions.ts';
import type { DirectoryRow } from '../../../db/tables/directories.ts';
import { fitToAgent } from '../../../domain/directory/fit-to-agent.ts';
import { wordsOf } from '../../../domain/directory/words-of.ts';
import type { FindingCode } from '../../../domain/directory/findings.ts';
import type { Mapping } from '../../../domain/directory/mapping.ts';
import { fetchesBeforeCall } from '../../../domain/graph/fetches-before-call.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { emptyColumns, registerUpload, scanDirectory } from '../../contacts/index.ts';
import { badRequest } from '../../calls/index.ts';
import {
  findSharedContacts,
  findSharedPhones,
  sharedNotes,
  SharedSums,
  type SharedContacts,
} from '../targets/other-campaigns.ts';
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
  encoding: string | undefined;
  isStrict: boolean;
}

export interface CheckedFile {
  directory: DirectoryRow;
  /** Rows of the file; null if it is read only after the start. */
  rows: number | null;
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
      identifierColumn: wish.identifierColumn,
      encoding: wish.encoding,
    },
  });
  const { required, warnings } = await fitOf(ctx, agent, directory);
  const scan = await scanOf(ctx, deps, { directory, required, isStrict: wish.isStrict });
  if (scan === null) return { directory, rows: null, notes: warnings };
  requireRows(scan, wish.isStrict);
  const empty = emptyColumns({ state: 'ready', columns: directory.columns, totals: scan.totals }, required);
  return {
    directory,
    rows: scan.totals.rows,
    notes: [
      ...warnings,
      ...empty.map(({ code, variable, rows, message }) => ({
        level: 'warning' as const,
        event: 'variables_checked',
        message,
        details: { code, name: variable, rows },
      })),
      noteOf(scan),
      ...sharedNotes(scan.shared),
    ],
  };
}

type Scan = Awaited<ReturnType<typeof scanDirectory>> & { shared: SharedContacts[] };

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
  requireFilled(missing, mapping);
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

/** Throws PreconditionError (400) for variables that no column fills, and says what to write instead. */
function requireFilled(missing: readonly string[], { identifier }: Mapping): void {
  const isOwn = (name: string) => name.toLowerCase() === identifier?.toLowerCase();
  const [own, others] = [missing.filter(isOwn), missing.filter((name) => !isOwn(name))];
  const faults = [
    ...own.map(
      (name) =>
        `The column ${identifier} is the identifier: prompts name it only {{ext_customer_id}}, so use {{ext_customer_id}} instead of {{${name}}}`,
    ),
    ...(others.length === 0
      ? []
      : [
          `The file has no column for these variables of the agent's published prompts: ${others.join(', ')}. Add the columns, or give the variables a default: {{name | default}}`,
        ]),
  ];
  if (faults.length > 0) throw badRequest(faults.join('. '));
}

async function scanOf(
  ctx: ServiceContext,
  deps: Pick<CampaignDeps, 'directories'>,
  { directory, required, isStrict }: { directory: DirectoryRow; required: string[]; isStrict: boolean },
): Promise<Scan | null> {
  const whose = { organizationId: ctx.organizationId, except: [], now: ctx.clock.now() };
  if (directory.state === 'ready' && !isStrict)
    return {
      totals: directory.totals,
      lines: [],
      shared: await findSharedContacts(ctx.db, {
        ...whose,
        directoryId: directory.id,
        importNumber: directory.importNumber,
      }),
    };
  if (directory.bytes <= maxScannedBytes) {
    const shared = new SharedSums();
    const onCallable = async (phones: readonly string[]) =>
      shared.add(await findSharedPhones(ctx.db, { ...whose, directoryId: directory.id, phones }));
    const input = { required, onCallable };
    return {
      ...(await scanDirectory({ ctx, deps: deps.directories, directory, input })),
      shared: shared.all(),
    };
  }
  if (isStrict) throw badRequest('strict is for files of at most 10 MB');
  return null;
}

function requireRows({ totals: { rows, ok }, lines }: Scan, isStrict: boolean): void {
  if (rows === 0) throw badRequest('The file has no data row');
  const faults = isStrict || ok === 0 ? faultWords(lines, isStrict) : [];
  if (ok === 0)
    throw badRequest(
      [`The file has ${counted(rows, 'row')}, and none of them can be called`, ...faults].join('. '),
    );
  // guarantee: strict-refusal-names-lines-and-reasons
  if (faults.length > 0) throw badRequest(faults.join('. '));
}

/** What the published rules do not forbid (contract 11.3). */
const lenient: ReadonlySet<FindingCode> = new Set(['phone_missing', 'suppressed', 'do_not_call']);

/** Lines that are shown of each kind of fault. */
const maxLines = 5;

/** The faults of a file by their lines, with the reason of each. The header is line 1. */
function faultWords(lines: Scan['lines'], isStrict: boolean): string[] {
  const errors = lines.filter(({ code, level }) => level === 'error' && !(isStrict && lenient.has(code)));
  const empty = lines.filter(({ code }) => isStrict && code === 'variable_empty');
  return [
    ...shownLines(
      'Repeated phone numbers',
      errors.filter(({ code }) => code === 'duplicate'),
      false,
    ),
    ...shownLines(
      'Rows that cannot be called',
      errors.filter(({ code }) => code !== 'duplicate'),
      true,
    ),
    ...empty.flatMap((each) =>
      shownLines(`Empty cells of a variable that the agent needs (${each.column ?? ''})`, [each], false),
    ),
  ];
}

function shownLines(what: string, found: Scan['lines'], withReasons: boolean): string[] {
  const count = found.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return [];
  const shown = found
    .flatMap(({ code, first }) => first.map((line) => ({ line, reason: wordsOf({ code }).message })))
    .toSorted((one, other) => one.line - other.line)
    .slice(0, maxLines)
    .map(({ line, reason }) => (withReasons ? `${line} (${uncapitalized(reason)})` : String(line)));
  const more = count > shown.length ? ` and ${count - shown.length} more` : '';
  return [`${what}: ${count === 1 ? 'line' : 'lines'} ${shown.join(', ')}${more}`];
}

const uncapitalized = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Counts only; the rows are in the directory. */
function noteOf({ totals }: Scan): CampaignLogEntry {
  const { rows, ok, blank, invalid, duplicate, noPhone, suppressed, doNotCall, warned } = totals;
  const left = rows - ok;
  const words =
    left === 0
      ? rows === 1
        ? 'The only row can be called'
        : `All ${rows} rows can be called`
      : `${ok} of ${counted(rows, 'row')} can be called; ${left} ${left === 1 ? 'is' : 'are'} left out`;
  return {
    level: left === 0 && warned === 0 ? 'info' : 'warning',
    event: 'file_checked',
    message:
      warned === 0 ? words : `${words}; ${counted(warned, 'row')} ${warned === 1 ? 'has' : 'have'} a warning`,
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
