import type { AnswerOf } from '../../../../src/contract/client-types.ts';
import type { Said } from './facts.ts';
import { openMinutes } from './hours.ts';
import type { Settings } from './settings.ts';

/** What is known of a new campaign before it is made: the list of checks, and what it will do. */

type Directory = AnswerOf<'get', '/directories/{directory_id}'>;
type Fit = AnswerOf<'get', '/directories/{directory_id}/fit'>;
type Agent = AnswerOf<'get', '/workflow/overview'>['items'][number];
type Connection = AnswerOf<'get', '/organizations/telephony-configs'>['configurations'][number];

export interface Known {
  directory?: Directory | undefined;
  fit?: Fit | undefined;
  agent?: Agent | undefined;
  /** Null: there is none. */
  connection?: Connection | null | undefined;
  /** Active caller numbers that the campaign may use. */
  numbers?: number | undefined;
  isDialingStopped?: boolean | undefined;
  /** Webhook addresses of the agent that are off. */
  endpointsOff?: number | undefined;
  settings: Settings;
}

/** One line of the check list. `bad` keeps the campaign from starting. */
export interface Check extends Said {
  is: 'ok' | 'warn' | 'bad';
  /** The page where it is mended. */
  to?: '/agents/$agentId' | '/campaigns' | '/contacts/$directoryId' | '/telephony' | '/webhooks';
  params?: Record<string, string>;
  /** Names that the words need. */
  names?: Readonly<Record<string, string>>;
}

const check = (is: Check['is'], name: string, more: Partial<Check> = {}): Check => ({
  is,
  id: `campaigns.check.${name}`,
  ...more,
});

/** What stands for and against a start. Worst first. */
export function checksOf(known: Known): readonly Check[] {
  const all = [
    ...fileChecks(known),
    ...agentChecks(known),
    ...lineChecks(known),
    ...(known.settings.isAnyHour
      ? [check('warn', 'anyHour')]
      : openMinutes(known.settings.week) === 0
        ? [check('bad', 'neverOpen')]
        : []),
    ...(known.isDialingStopped === true ? [check('bad', 'dialingStopped', { to: '/campaigns' })] : []),
  ];
  const order = { bad: 0, warn: 1, ok: 2 };
  return all.toSorted((one, other) => order[one.is] - order[other.is]);
}

function fileChecks({ directory, fit }: Known): readonly Check[] {
  if (directory === undefined) return [check('bad', 'noDirectory')];
  const page = { to: '/contacts/$directoryId', params: { directoryId: String(directory.id) } } as const;
  const { totals } = directory;
  const rows: Check[] =
    totals === null
      ? [check('warn', 'unchecked', page)]
      : totals.ok === 0
        ? [check('bad', 'nobody', page)]
        : [
            check('ok', 'contacts', { values: { n: totals.ok } }),
            ...(totals.rows - totals.ok > 0
              ? [check('warn', 'leftOut', { values: { n: totals.rows - totals.ok }, ...page })]
              : []),
          ];
  if (fit === undefined) return rows;
  return [
    ...rows,
    ...(fit.missing.length > 0
      ? [
          check('bad', 'missing', {
            names: { names: fit.missing.join(', ') },
            values: { n: fit.missing.length },
          }),
        ]
      : [check('ok', 'fits', { values: { n: fit.required.length } })]),
    ...fit.warnings.map(({ message }) => check('warn', 'words', { names: { words: message } })),
  ];
}

function agentChecks({ agent, endpointsOff = 0 }: Known): readonly Check[] {
  if (agent === undefined) return [check('bad', 'noAgent')];
  const page = { to: '/agents/$agentId', params: { agentId: String(agent.id) } } as const;
  return [
    agent.published === null
      ? check('bad', 'unpublished', page)
      : check('ok', 'published', { values: { version: agent.published.version_number } }),
    ...(agent.draft !== null && agent.published !== null
      ? [check('warn', 'draft', { values: { n: agent.draft.changes }, ...page })]
      : []),
    ...(endpointsOff > 0
      ? [check('warn', 'endpoints', { values: { n: endpointsOff }, to: '/webhooks' })]
      : []),
  ];
}

function lineChecks({ connection, numbers, settings: { lines } }: Known): readonly Check[] {
  if (connection === undefined) return [];
  if (connection === null) return [check('bad', 'noConnection', { to: '/telephony' })];
  if (!connection.is_ready_for_outbound)
    return [
      check('bad', 'notReady', {
        names: { name: connection.name, words: connection.outbound_blocked_reason ?? '' },
        to: '/telephony',
      }),
    ];
  if (numbers === undefined) return [];
  if (numbers === 0) return [check('bad', 'noNumbers', { to: '/telephony' })];
  return [
    check('ok', 'connection', { names: { name: connection.name }, values: { n: numbers } }),
    ...(lines !== null && lines > numbers
      ? [check('bad', 'fewNumbers', { values: { lines, numbers }, to: '/telephony' })]
      : []),
  ];
}
