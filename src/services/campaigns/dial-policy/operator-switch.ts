import type { DataSource } from 'typeorm';
import { acrossOrganizations, changeRows, deleteRows, findRow, updateRows } from '../../../db/rows.ts';
import { dialPolicies } from '../../../db/tables/dial-policies.ts';
import { installationStops } from '../../../db/tables/installation-stops.ts';
import { organizations } from '../../../db/tables/organizations.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { NotFoundError } from '../../../domain/errors.ts';
import { isUuid } from '../../../domain/uuid.ts';
import { appendAudit, type ServiceContext, type WriteContext, write } from '../../kernel/index.ts';
import { lockPolicy } from './lock-policy.ts';

export interface OperatorSwitchInput {
  /** Id or uuid; null = every organization, including future ones. */
  organization: string | null;
  /** For people; empty = none given. */
  reason: string;
}

export interface OperatorSwitched {
  scope: 'installation' | 'organization';
  /** Null for the whole installation. */
  organizationId: number | null;
  isStopped: boolean;
  /** Since when, if stopped. */
  since: Date | null;
}

type Deps = Pick<ServiceContext, 'db' | 'clock' | 'ids' | 'log'>;

/**
 * The operator stops the campaigns of one organization, or of all. A repeated stop keeps the first timestamp.
 * Throws NotFoundError.
 */
export async function stopByOperator({
  deps,
  input,
}: {
  deps: Deps;
  input: OperatorSwitchInput;
}): Promise<OperatorSwitched> {
  return input.organization === null
    ? await stopAll(deps, input.reason)
    : await turnOne(deps, input.organization, 'dialing.stopped_by_operator', deps.clock.now());
}

/** The operator resumes them. What organizations stopped themselves stays stopped. Throws NotFoundError. */
export async function resumeByOperator({
  deps,
  input,
}: {
  deps: Deps;
  input: OperatorSwitchInput;
}): Promise<OperatorSwitched> {
  if (input.organization !== null)
    return await turnOne(deps, input.organization, 'dialing.resumed_by_operator', null);
  await inTransaction(deps.db, (tx) => deleteRows(tx, installationStops, { what: 'dialing' }));
  deps.log.warn({}, 'Campaigns of the installation may dial again');
  return { scope: 'installation', organizationId: null, isStopped: false, since: null };
}

/**
 * No organization's audit log covers this. The row records since when and why, and so does the log of the
 * command.
 */
async function stopAll({ db, clock, log }: Deps, reason: string): Promise<OperatorSwitched> {
  const since = await inTransaction(db, async (tx) => {
    await changeRows(acrossOrganizations(tx, 'the stop of the installation belongs to no organization'), {
      sql: "INSERT INTO installation_stops (what, since, reason) VALUES ('dialing', ?, ?) ON DUPLICATE KEY UPDATE what = what",
      values: [clock.now(), reason],
    });
    return (await findRow(tx, installationStops, { what: 'dialing' }))?.since ?? null;
  });
  log.warn({ since }, 'Campaigns of the installation are stopped');
  return { scope: 'installation', organizationId: null, isStopped: true, since };
}

async function turnOne(
  deps: Deps,
  named: string,
  action: string,
  stopAt: Date | null,
): Promise<OperatorSwitched> {
  const organizationId = await organizationNamed(deps.db, named);
  const { db, clock, ids, log } = deps;
  const ctx: WriteContext = { clock, ids, organizationId, actor: { kind: 'system', name: 'operator' } };
  const since = await write({ db, ...ctx }, async (tx) => {
    const { operatorStoppedAt } = await lockPolicy(tx, organizationId, clock.now());
    const at = stopAt === null ? null : (operatorStoppedAt ?? stopAt);
    await updateRows(tx, dialPolicies, { where: { organizationId }, change: { operatorStoppedAt: at } });
    await appendAudit(tx, { action, subjectKind: 'organization', subjectId: organizationId });
    return at;
  });
  log.warn(
    { organizationId, since },
    since === null
      ? 'Campaigns of an organization may dial again'
      : 'Campaigns of an organization are stopped',
  );
  return { scope: 'organization', organizationId, isStopped: since !== null, since };
}

async function organizationNamed(db: DataSource, named: string): Promise<number> {
  const found = await findRow(
    db,
    organizations,
    isUuid(named) ? { uuid: named } : { id: /^\d{1,15}$/.test(named) ? Number(named) : 0 },
  );
  if (found === null) throw new NotFoundError('No such organization');
  return found.id;
}
