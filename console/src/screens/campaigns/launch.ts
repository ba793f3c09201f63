import type { AnswerOf } from '../../../../src/contract/client-types.ts';
import type { Said } from './facts.ts';
import { openMinutes } from './hours.ts';
import type { Settings } from './settings.ts';

/** What is known of a new campaign before it is made: the list of checks, and what it will do. */

type Directory = AnswerOf<'get', '/directories'>['directories'][number];
type Fit = AnswerOf<'get', '/directories/{directory_id}/fit'>;
type Agent = AnswerOf<'get', '/workflow/overview'>['items'][number];
type Connection = AnswerOf<'get', '/organizations/telephony-configs'>['configurations'][number];
type Endpoint = AnswerOf<'get', '/webhook-endpoints'>[number];

export interface Tested {
  isReached: boolean;
  why: string;
}

export interface Known {
  directory?: Directory | undefined;
  fit?: Fit | undefined;
  agent?: Agent | undefined;
  /** Warnings about the published version, by the rules of the editor. */
  agentWarnings?: readonly { code: string; message: string }[] | undefined;
  /** Null: there is none. */
  connection?: Connection | null | undefined;
  /** Active caller numbers that the campaign may use. */
  numbers?: number | undefined;
  isDialingStopped?: boolean | undefined;
  /** To which the published version sends. */
  endpoints?: readonly Pick<Endpoint, 'id' | 'address' | 'node_name' | 'state'>[] | undefined;
  /** What the last test of an endpoint said, by its id. */
  tested?: ReadonlyMap<string, Tested>;
  /** Contacts whose number was blocked after the check. */
  suppressed?: number | undefined;
  /** Contacts whom another campaign has called in the last days. */
  recentlyCalled?: number | undefined;
  settings: Settings;
}

/** What mends a check in its place. */
export type Fix = { does: 'skipRecent' } | { does: 'test'; endpointId: string };

/** One line of the check list. `bad` keeps the campaign from starting. */
export interface Check extends Said {
  is: 'ok' | 'warn' | 'bad';
  /** The page where it is mended. */
  to?:
    | '/agents/$agentId'
    | '/campaigns'
    | '/contacts/$directoryId'
    | '/contacts/blocked'
    | '/telephony'
    | '/webhooks';
  params?: Record<string, string>;
  fix?: Fix;
}

/** Days within which a call by another campaign is worth a word: the longest period of the caps. */
export const recentDays = 7;
/** More warnings of the agent are only counted. */
const shownWarnings = 3;
/** A campaign gives each node the built-in opt-out, whatever the agent has. */
const givenByCampaign: readonly string[] = ['opt_out_missing'];

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
    ...peopleChecks(known),
    ...endpointChecks(known),
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

function agentChecks({ agent, agentWarnings }: Known): readonly Check[] {
  if (agent === undefined) return [check('bad', 'noAgent')];
  const page = { to: '/agents/$agentId', params: { agentId: String(agent.id) } } as const;
  return [
    agent.published === null
      ? check('bad', 'unpublished', page)
      : check('ok', 'published', { values: { version: agent.published.version_number } }),
    ...(agent.draft !== null && agent.published !== null
      ? [check('warn', 'draft', { values: { n: agent.draft.changes }, ...page })]
      : []),
    check('ok', 'optOut'),
    ...warningChecks(agentWarnings, page),
  ];
}

function warningChecks(
  warnings: Known['agentWarnings'],
  page: Pick<Check, 'to' | 'params'>,
): readonly Check[] {
  if (warnings === undefined) return [];
  const all = warnings.filter(({ code }) => !givenByCampaign.includes(code));
  const more = all.length - shownWarnings;
  return [
    ...all
      .slice(0, shownWarnings)
      .map(({ message }) => check('warn', 'agentWarning', { names: { words: message }, ...page })),
    ...(more > 0 ? [check('warn', 'agentWarnings', { values: { n: more }, ...page })] : []),
    ...(all.length === 0 ? [check('ok', 'noWarnings')] : []),
  ];
}

/** Who may not be called, and who was called lately. */
function peopleChecks({ directory, suppressed, recentlyCalled, settings }: Known): readonly Check[] {
  if (directory?.totals == null) return [];
  const blocked = directory.totals.suppressed + (suppressed ?? 0);
  const days = settings.skipDays ?? recentDays;
  return [
    check('ok', 'suppressed', { values: { n: blocked }, to: '/contacts/blocked' }),
    ...(recentlyCalled === undefined
      ? []
      : recentlyCalled === 0
        ? [check('ok', 'notRecent', { values: { days } })]
        : settings.skipDays === null
          ? [
              check('warn', 'recent', {
                values: { n: recentlyCalled, days },
                fix: { does: 'skipRecent' },
              }),
            ]
          : [check('ok', 'skipsRecent', { values: { n: recentlyCalled, days } })]),
  ];
}

/** Whether the results of the calls arrive somewhere. */
function endpointChecks({ endpoints = [], tested }: Known): readonly Check[] {
  return endpoints.map(({ id, address, node_name: node, state }): Check => {
    const names = { name: node ?? address };
    const test: Fix = { does: 'test', endpointId: id };
    const found = tested?.get(id);
    if (found !== undefined)
      return found.isReached
        ? check('ok', 'endpointReached', { names })
        : check('warn', 'endpointNotReached', {
            names: { ...names, why: found.why },
            to: '/webhooks',
            fix: test,
          });
    if (state === 'healthy') return check('ok', 'endpointHealthy', { names, fix: test });
    if (state === 'off') return check('warn', 'endpointOff', { names, to: '/webhooks' });
    return check('warn', state === 'failing' ? 'endpointFails' : 'endpointUntried', {
      names,
      to: '/webhooks',
      fix: test,
    });
  });
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
