import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, statePath } from '../../tools/bootstrap/project.mjs';
import {
  contactFile,
  makeContacts,
  personasOf,
  retryPlan,
  rowsOfRun,
  scheduleOf,
  type Contact,
} from '../support/chaos/campaign-contacts.ts';
import { CampaignDesk } from '../support/chaos/campaign-desk.ts';
import { CampaignFleet } from '../support/chaos/campaign-fleet.ts';
import { isAsPlanned, judgeCampaign, type Attempt } from '../support/chaos/campaign-judge.ts';
import { CarrierFile } from '../support/chaos/carrier-file.ts';
import { pause } from '../support/chaos/caller.ts';
import { chooseCarrier } from '../support/chaos/choose-carrier.ts';
import { startOwnMariadb, startOwnTemporal, type OwnServer } from '../support/own-servers.ts';
import { startPhoneService, type PhoneService } from '../support/phone-service.ts';
import { eventually } from '../support/process.ts';
import { seededRandom } from '../support/seed.ts';

/**
 * A whole campaign without audio on its own MySQL and Temporal. Processes of every role die at each of their
 * points and at random, and both servers are killed and restarted. The log of the simulated carrier and the
 * sums of the API are checked.
 */
const rows = rowsOfRun(10_000);
const lines = 100;
const numbers = 100;
/** Between two random kills. */
const betweenMs = { min: 10_000, max: 14_000 + rows * 5 };
const windowAfterMs = 150_000;
/** A pause must act within this time. */
const pauseActsMs = 5000;

/** Logs of the roles and of the carrier for one run. */
const tracePath = (what: string) => join(folder(statePath('test', 'logs')), `campaign-chaos-${what}`);
const ofThisRun = folder(statePath('test', `run-${process.pid}`));
const random = seededRandom('campaign chaos');

let mysql: OwnServer & { url: string };
let temporal: OwnServer & { address: string; uiUrl: string };
let service: PhoneService;
let fleet: CampaignFleet;
let desk: CampaignDesk;
let carrier: CarrierFile;
/** Rows that did not go as planned, for the analysis of a violation. */
let harmed: unknown[] = [];

beforeAll(async () => {
  [mysql, temporal] = await Promise.all([startOwnMariadb(), startOwnTemporal()]);
  const logFile = join(ofThisRun, 'carrier.jsonl');
  service = await startPhoneService({
    servers: { databaseUrl: mysql.url, temporalAddress: temporal.address, temporalUiUrl: temporal.uiUrl },
    env: {
      PARLANCE_LOG_LEVEL: 'warn',
      NODE_COMPILE_CACHE: folder(join(ofThisRun, 'compile-cache')),
      PARLANCE_EMULATOR_CARRIER_LOG: logFile,
    },
  });
  carrier = new CarrierFile(logFile);
  desk = new CampaignDesk(service);
  await desk.prepare({ numbers });
  await service.api.stop();
  fleet = new CampaignFleet({
    start: (_, env) => service.startRole('test/support/chaos/deadly-role.ts', env),
    random,
  });
  for (const role of ['api', 'worker', 'worker', 'media', 'media'] as const) await fleet.add(role);
  await desk.ready();
}, 300_000);

afterAll(async () => {
  fleet?.end();
  await carrier?.close();
  await service?.stop();
  await Promise.all([temporal?.stop(), mysql?.stop()]);
}, 120_000);

test('a campaign survives the death of workers, API, media hosts, Temporal and MySQL: every contact is rung as often as the plan says, within its hours, and every row has an outcome', async () => {
  const contacts = makeContacts(rows, random);
  await chooseCarrier(service, { random, title: 'campaign chaos' });
  const suppressed = (kind: Contact['kind']) =>
    contacts.filter((each) => each.kind === kind).map(({ written }) => written);
  await desk.suppress(suppressed('suppressed'));
  await desk.seatPersons(
    contacts
      .filter(({ kind }) => kind === 'callable')
      .map((contact) => ({ number: contact.written, personas: personasOf(contact) })),
  );
  const begunAt = Date.now();
  const windowAt = Math.ceil((begunAt + windowAfterMs) / 60_000) * 60_000;
  const hours = { opensAt: windowAt, closesAt: windowAt };
  await desk.create(contactFile(contacts), {
    max_concurrency: lines,
    circuit_breaker: { enabled: false },
    schedule_config: scheduleOf(hours, begunAt),
    rules: {
      window_zone: 'contact',
      retry_plan: retryPlan,
      caps: { per_hour: null, per_day: null, per_week: null },
    },
  });
  const expected = contacts
    .filter(({ place }) => place !== 'closed')
    .reduce((sum, { takes }) => sum + takes.length, 0);
  const isOver = { value: false };
  /** False when the run ends before this share of the calls. */
  const part = async (share: number): Promise<boolean> => {
    while (carrier.ended < expected * share && !isOver.value) await pause(50);
    return !isOver.value;
  };
  const pauses: { from: number; until: number }[] = [];
  try {
    await desk.verb('start');
    const startedAt = Date.now();
    const tasks = [follow(), killAtRandom(), killServers(), manage()];
    await eventually('only rows wait that are outside of their window', () => isStandingStill(contacts), {
      limitMs: 420_000 + rows * 400,
      everyMs: 1000,
    });
    const dialedMs = Date.now() - startedAt;
    isOver.value = true;
    await desk.verb('stop', { mode: 'finish' });
    await eventually(
      'the completion',
      async () => ((await desk.progress()).state === 'completed' ? true : undefined),
      { limitMs: 120_000, everyMs: 500 },
    );
    await Promise.all(tasks);
    await carrier.read();
    await judge(dialedMs);
  } catch (error) {
    leaveTraces(contacts);
    process.stderr.write(`campaign chaos: the logs of the roles and the carrier are in ${tracePath('*')}\n`);
    throw error;
  } finally {
    isOver.value = true;
  }

  async function follow(): Promise<void> {
    for (let reportedAtMs = 0; !isOver.value;) {
      await carrier.read();
      if (Date.now() - reportedAtMs > 30_000) {
        reportedAtMs = Date.now();
        process.stderr.write(
          `campaign chaos: ${Math.round((reportedAtMs - begunAt) / 1000)} s, ${carrier.rings.length} calls of about ${expected}, ${fleet.deaths.length} deaths; points without a death: ${fleet.remaining().join(', ')}\n`,
        );
      }
      await pause(100);
    }
  }

  async function killAtRandom(): Promise<void> {
    while (!isOver.value) {
      await pause(betweenMs.min + random() * (betweenMs.max - betweenMs.min));
      const role = (['worker', 'media', 'api'] as const)[Math.floor(random() * 3)] ?? 'worker';
      if (!isOver.value) fleet.killOne(role);
    }
  }

  async function killServers(): Promise<void> {
    for (const { who, server, share } of [
      { who: 'temporal', server: temporal, share: 0.35 },
      { who: 'mysql', server: mysql, share: 0.65 },
    ] as const) {
      if (!(await part(share))) return;
      await server.kill();
      fleet.deaths.push({ who, at: Date.now(), why: 'killed' });
      await pause(1000);
      await server.start();
      fleet.deaths.push({ who, at: Date.now(), why: 'back' });
    }
  }

  /** People change the campaign while processes die. */
  async function manage(): Promise<void> {
    await eventually(
      'all rows are read',
      async () => (areAllRead((await desk.progress()).rows) ? true : undefined),
      { limitMs: 120_000, everyMs: 500 },
    );
    await desk.suppress(suppressed('suppressed_later'));
    if (!(await part(0.15))) return;
    await desk.verb('pause');
    const from = Date.now() + pauseActsMs;
    await pause(pauseActsMs + 3000);
    pauses.push({ from, until: Date.now() });
    await desk.verb('resume');
    if (!(await part(0.45))) return;
    await desk.change({ max_concurrency: lines / 2 });
    if (!(await part(0.5))) return;
    await desk.change({ max_concurrency: lines });
  }

  async function judge(dialedMs: number): Promise<void> {
    const ends = new Map((await desk.rows()).map((end) => [end.row, end]));
    const rung = Map.groupBy(carrier.rings, ({ to }) => to);
    const attempts = new Map<number, readonly Attempt[]>();
    for (const contact of contacts) {
      const end = ends.get(contact.row);
      if (
        contact.kind === 'callable' &&
        end !== undefined &&
        !isAsPlanned(contact, end, rung.get(contact.written)?.length ?? 0)
      )
        attempts.set(contact.row, await desk.attemptsOf(contact.row));
    }
    harmed = [...attempts].map(([row, own]) => ({
      row,
      takes: contacts[row - 1]?.takes,
      rung: (rung.get(contacts[row - 1]?.written ?? '') ?? []).map(({ at }) => at),
      end: ends.get(row),
      attempts: own,
    }));
    const verdict = judgeCampaign({
      contacts,
      rings: carrier.rings,
      ends,
      attempts,
      deaths: fleet.deaths,
      hours,
      pauses,
    });
    const progress = await desk.progress();
    const { left_out: leftOut, processed, failed, ...open } = progress.rows;
    const deaths = Object.entries(
      Object.groupBy(
        fleet.deaths.filter(({ why }) => why !== 'back'),
        ({ who }) => who,
      ),
    ).map(([who, each]) => `${who} ${each?.length}`);
    process.stderr.write(
      `campaign chaos: ${rows} rows, ${carrier.rings.length} calls in ${Math.round(dialedMs / 1000)} s (${(carrier.rings.length / (dialedMs / 1000)).toFixed(1)} a second), at most ${carrier.maxLive} at once; deaths ${deaths.join(', ')} (${fleet.deaths.filter(({ why }) => why === 'at random').length} at random); in doubt ${verdict.inDoubt.length}, made again unrung ${verdict.repeated.length}, misheard ${verdict.misheard.length}, at most ${verdict.maxAtOneDeath} at one death; outcomes ${JSON.stringify(progress.outcomes)}, left out ${leftOut}\n`,
    );
    leaveTraces(contacts);
    expect(verdict.violations).toEqual([]);
    expect(open).toEqual({ queued: 0, waiting: 0, processing: 0 });
    expect(leftOut + processed + failed).toBe(rows);
    expect(Object.values(progress.outcomes).reduce((sum, each) => sum + each, 0)).toBe(processed + failed);
    expect(leftOut).toBe(
      contacts.filter(({ kind }) => ['duplicate', 'invalid', 'suppressed'].includes(kind)).length,
    );
    expect(
      contacts.filter(
        ({ kind, row }) => kind === 'suppressed_later' && ends.get(row)?.outcome !== 'suppressed',
      ),
    ).toEqual([]);
    expect(await desk.reportLines()).toBe(
      [...ends.values()].reduce((sum, { attempts: made }) => sum + made, 0),
    );
    // A death harms at most the calls in progress.
    expect(verdict.maxAtOneDeath).toBeLessThanOrEqual(lines);
    expect(carrier.maxLive).toBeLessThanOrEqual(lines);
    expect(carrier.shownTwice).toEqual([]);
    expect(fleet.remaining()).toEqual([]);
  }
}, 5_400_000);

/**
 * Everyone who may be called has been called; only contacts with a window that is closed for the rest of the
 * run wait.
 */
async function isStandingStill(contacts: readonly Contact[]): Promise<true | undefined> {
  const { rows: counts } = await desk.progress();
  const shut = contacts.filter(
    ({ kind, place }) => kind === 'callable' && (place === 'closed' || place === 'closes'),
  ).length;
  if (!areAllRead(counts) || counts.processing > 0 || counts.queued + counts.waiting > shut) return undefined;
  const waiting = await desk.rows('queued');
  return waiting.every(({ row }) => ['closed', 'closes'].includes(contacts[row - 1]?.place ?? ''))
    ? true
    : undefined;
}

const areAllRead = (counts: Record<string, number>): boolean =>
  Object.values(counts).reduce((sum, each) => sum + each, 0) === rows;

function leaveTraces(contacts: readonly Contact[]): void {
  writeFileSync(tracePath('roles.log'), service.logs());
  writeFileSync(
    tracePath('run.json'),
    JSON.stringify({ deaths: fleet.deaths, harmed, contacts, rings: carrier.rings }, null, 1),
  );
}
