import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { createSender, toCurl } from '../support/any-request/exchange.ts';
import { faultsOf } from '../support/any-request/judge.ts';
import { readDescription, type Operation } from '../support/any-request/operations.ts';
import { anyRequest, withKey, type AnyRequest } from '../support/any-request/requests.ts';
import { createAnyRequestWorld, type AnyRequestWorld } from '../support/any-request/world.ts';
import { databases } from '../support/database.ts';
import { isEverythingGenerated, propertyRuns, propertySeed, seedOfDescription } from '../support/seed.ts';

const description = readDescription();
const seed = propertySeed('Any request', seedOfDescription());
/** Number of requests for each operation, on each database. */
const runs = propertyRuns(isEverythingGenerated ? 25 : 2);

/** Requests that have found faults before. */
const foundOnce = [
  ['listTools', '/tools/?category=%C2%A0'],
  ['listDocuments', '/knowledge-base/documents?offset=9007199254740993'],
  ['getDailyReport', '/organizations/reports/daily?date=2026-01-20&workflow_id=18446744073709551616'],
  ['validateUserConfiguration', '/user/configurations/user/validate?validity_ttl_seconds='],
  ['deleteRecording', '/workflow-recordings/%C2%A0'],
  ['streamEvents', '/events?topics=org'],
  ['listRecordings', '/workflow-recordings/?workflow_id=18446744073709551616&tts_model=%C2%A0'],
] as const;

// guarantee: any-request-gets-declared-answer
describe.each(databases)('answers to generated requests match the description, on %s', (kind) => {
  let world: AnyRequestWorld;
  let sender: ReturnType<typeof createSender>;

  beforeAll(async () => {
    world = await createAnyRequestWorld(kind);
    sender = createSender(world.api.url);
  });
  afterAll(async () => {
    sender.close();
    await world.close();
  });

  /** A violation of the description by an answer, with the command that shows it. Null if none was found. */
  async function hunt(operation: Operation, seen: Set<number>): Promise<string | null> {
    const credentials = await world.freshCredentials();
    const requests = anyRequest(operation, { resolve: description.resolve, known: world.known }, credentials);
    const property = fc.asyncProperty(requests, async (request) => {
      const answer = await sender.send(request);
      seen.add(answer.status);
      const faults = faultsOf(operation, request, answer, description);
      if (faults.length > 0)
        throw new Error(
          `${faults.join('; ')}\n${toCurl(world.api.url, request)}\n${answer.body.slice(0, 2000)}`,
        );
    });
    // The first one has the key in any case: authentication must not be all that is tried.
    const examples = fc
      .sample(requests, { seed, numRuns: 1 })
      .map((request): [AnyRequest] => [withKey(request, credentials)]);
    const { failed, errorInstance } = await fc.check(property, { seed, numRuns: runs, examples });
    return failed ? String(errorInstance) : null;
  }

  test.each(description.operations.map((operation) => [operation.id, operation] as const))(
    '%s',
    async (_id, operation) => {
      const seen = new Set<number>();
      expect(await hunt(operation, seen)).toBeNull();
      // A public route answers 401 to a token that does not exist.
      const isRefusal = (status: number) => status === 401 && operation.auth !== 'none';
      expect([...seen].filter((status) => !isRefusal(status))).not.toEqual([]);
      const ready = await fetch(`${world.api.url}/readyz`);
      expect([ready.status, Reflect.get({}, 'polluted')]).toEqual([200, undefined]);
    },
    60_000 + 1000 * runs,
  );

  test.each(foundOnce)('%s %s', async (id, target) => {
    const operation = description.operations.find((each) => each.id === id);
    if (operation === undefined) throw new Error(`there is no operation ${id}`);
    const { key } = await world.freshCredentials();
    const request = {
      method: operation.method,
      target: `/api/v1${target}`,
      headers: [['X-API-Key', key]] as const,
      body: undefined,
    };
    expect(faultsOf(operation, request, await sender.send(request), description)).toEqual([]);
  });
});
