import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Route } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { calls } from '../../src/db/tables/calls.ts';
import { campaignTargets } from '../../src/db/tables/campaign-targets.ts';
import { agentVersions } from '../../src/db/tables/agent-versions.ts';
import { contacts } from '../../src/db/tables/contacts.ts';
import { deliveries } from '../../src/db/tables/deliveries.ts';
import { directories, type DirectoryRow } from '../../src/db/tables/directories.ts';
import { lineRecordings } from '../../src/db/tables/line-recordings.ts';
import { phoneNumbers } from '../../src/db/tables/phone-numbers.ts';
import { suppressions } from '../../src/db/tables/suppressions.ts';
import { turns } from '../../src/db/tables/turns.ts';
import { initialCheckpoint } from '../../src/domain/call/checkpoint.ts';
import { at, createTenant, startApi, triggeredGraph, type ApiUnderTest } from '../support/api-on-services.ts';
import { columns } from '../../src/db/rows.ts';
import type { CallRow } from '../../src/db/tables/calls.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createFakeAccounts } from '../support/fake-accounts.ts';
import { answerText } from '../support/answer-text.ts';
import { furnish } from '../support/furnished.ts';
import { lineFiles } from '../support/line-recordings.ts';
import { joinAs } from '../support/people.ts';
import { requestFor, routeNames, type Slots } from '../support/route-requests.ts';

/** What an answer must not show to somebody without `people:read`. Each is in an answer to the owner. */
const numbers = {
  caller: '4915273846591',
  callee: '4917938461527',
  ofTheLine: '498924681357',
  forTests: '493095173826',
  ofTheTool: '442071834659',
  inThePrompt: '33142687935',
  suppressed: '31206913574',
  inAHeaderLine: '431572938461',
  asADefault: '390649182736',
  recorded: '34915263748',
  inALabel: '4687193524',
  inANote: '351217384956',
  inAnError: '420384756192',
};
const words = {
  name: 'Ottilie Zimmermann',
  value: 'chartreuse sofa',
  said: 'rutabaga on the balcony',
  replied: 'the kohlrabi is on its way',
  judged: 'sounded exasperated',
  posted: 'posted gooseberries',
};

/** Routes whose answers cannot show the furnished facts without a file storage or a live process. */
const walked = routeNames.filter((name) => {
  const route: Route = routes[name];
  return route.method === 'get' && route.auth === 'key';
});

describe('a person without the scope people:read', () => {
  let database: TestDatabase;
  let api: ApiUnderTest;
  let slots: Slots;
  let owner: Record<string, string>;
  const masked: { kind: string; headers: Record<string, string> }[] = [];

  beforeAll(async () => {
    database = await createTestDatabase('mariadb');
    api = await startApi(database.db, { files: lineFiles, accounts: createFakeAccounts().carriers });
    const tenant = await createTenant(database.db);
    owner = { 'x-api-key': tenant.key };
    slots = await furnish({
      db: database.db,
      organizationId: tenant.organizationId,
      mark: 'owned',
      ask: (method, path, body) => api.ask(tenant.key, method, path, body),
    });
    await furnishPeople(tenant.organizationId);
    const { headers } = await joinAs(api, owner, { email: 'analyst@example.com', role: 'analyst' });
    const key = await api.send(owner, 'POST', '/user/api-keys', { name: 'dashboard', scopes: ['read'] });
    masked.push(
      { kind: 'session', headers },
      { kind: 'key', headers: { 'x-api-key': String(at(key.body, 'api_key')) } },
    );
  });
  afterAll(async () => {
    await api.close();
    await database.drop();
  });

  async function furnishPeople(organizationId: number): Promise<void> {
    const { db } = database;
    const ofCalls = columns<CallRow>({
      callerNumber: numbers.caller,
      calledNumber: `+${numbers.callee}`,
      initialContext: {
        first_name: words.name,
        phone_number: `+${numbers.callee}`,
        [numbers.inAHeaderLine]: words.name,
      },
      gatheredContext: { extracted_variables: { day: words.value }, summary: words.said },
      logs: { realtime_feedback_events: [{ text: words.said }] },
      annotations: { qa_1: { summary: words.judged } },
      transcriptAvailable: true,
      recordedAt: new Date(),
    });
    await db.getRepository(calls).update({ organizationId }, ofCalls);
    await db.getRepository(turns).update(
      { organizationId },
      {
        userText: words.said,
        replyText: words.replied,
        replyAt: new Date(),
        lines: [
          { speaker: 'user', text: words.said, at: new Date().toISOString(), nodeId: 's', kind: 'utterance' },
        ],
      },
    );
    await db.query('UPDATE text_sessions SET checkpoint = ? WHERE organization_id = ?', [
      JSON.stringify({ ...initialCheckpoint, turnIndex: 0 }),
      organizationId,
    ]);
    await db.getRepository(deliveries).update(
      { organizationId },
      {
        body: JSON.stringify({ text: words.posted }),
        url: `https://127.0.0.1:9/?p=${numbers.callee}`,
        lastError: `The endpoint moved to https://127.0.0.1:9/?p=${numbers.inAnError}`,
      },
    );
    await db.getRepository(campaignTargets).update({ organizationId }, { phone: numbers.callee });
    await db
      .getRepository(contacts)
      .update(
        { organizationId },
        { phone: numbers.callee, identifier: words.name, cells: [numbers.callee, words.name] },
      );
    await furnishHeaderless(organizationId);
    await db.getRepository(suppressions).update({ organizationId }, { phone: numbers.suppressed });
    const line = `+${numbers.ofTheLine}`;
    await db
      .getRepository(phoneNumbers)
      .update(
        { organizationId },
        { address: line, addressNormalized: line, label: `Sales +${numbers.inALabel}` },
      );
    await db
      .getRepository(lineRecordings)
      .update({ organizationId }, { transcript: `Our number is +${numbers.recorded}.` });
    await api.send(owner, 'PUT', '/organizations/preferences', { test_phone_number: `+${numbers.forTests}` });
    await api.send(owner, 'POST', '/tools/', {
      name: 'Colleague',
      definition: {
        schema_version: 1,
        type: 'transfer_call',
        config: { destination: `+${numbers.ofTheTool}` },
      },
    });
    const graph = triggeredGraph('masked-trigger');
    const text = JSON.stringify(graph).replace(
      '"prompt":"',
      `"prompt":"Else give them +${numbers.inThePrompt} or {{ their_line | +${numbers.asADefault} }}. `,
    );
    await api.send(owner, 'PUT', `/workflow/${slots['workflow_id']}`, {
      workflow_definition: JSON.parse(text),
      template_context_variables: { first_name: words.name },
    });
    await db
      .getRepository(agentVersions)
      .update({ organizationId }, { note: `For those who call +${numbers.inANote}` });
  }

  /** As if the header line of the files were a row: its cells are names of columns and variables. */
  async function furnishHeaderless(organizationId: number): Promise<void> {
    const files = database.db.getRepository(directories);
    const number = numbers.inAHeaderLine;
    for (const { id, mapping, totals } of await files.findBy({ organizationId })) {
      const inNames = {
        columns: [number, 'first_name'],
        mapping: { ...mapping, identifier: number, skipped: [number] },
        totals: { ...totals, emptyCells: [1, 0] },
      };
      await files.update({ id, organizationId }, columns<DirectoryRow>(inNames));
    }
  }

  const answers = async (headers: Record<string, string>) => {
    const all: { name: string; status: number; text: string }[] = [];
    for (const name of walked) {
      const { path } = requestFor(name, slots);
      const answer = await fetch(`${api.url}${path}`, { headers, redirect: 'manual' });
      all.push({ name, status: answer.status, text: await answerText(answer) });
    }
    return all;
  };
  /** Six digits in a row of a number, however it is written. */
  const pieces = Object.values(numbers).flatMap((number) =>
    Array.from({ length: number.length - 5 }, (_, start) => number.slice(start, start + 6)),
  );
  const shown = (text: string) => {
    const digits = text.replaceAll(/(?<=\d)[ ().-](?=\d)/g, '');
    return [
      ...Object.values(words).filter((each) => text.includes(each)),
      ...pieces.filter((piece) => digits.includes(piece)),
    ];
  };

  // guarantee: analyst-sees-masked
  // guarantee: files-are-masked
  test('sees no digit of a number, no word and no value in any answer, export or report, of what their owner sees', async () => {
    const whole = (await answers(owner)).map(({ text }) => text).join('\n');
    for (const fact of [...Object.values(numbers), ...Object.values(words)])
      expect({ fact, isShown: whole.includes(fact) }).toEqual({ fact, isShown: true });
    for (const { kind, headers } of masked) {
      const all = await answers(headers);
      expect({
        kind,
        found: all.flatMap(({ name, text }) => shown(text).map((fact) => [name, fact])),
      }).toEqual({
        kind,
        found: [],
      });
      const failed = all.filter(({ status }) => status >= 500);
      expect(failed).toEqual([]);
    }
  });

  test('sees that there is a value, by the name of it', async () => {
    const [{ headers } = { headers: {} }] = masked;
    const { body } = await api.send(
      headers,
      'GET',
      `/workflow/${slots['workflow_id']}/runs/${slots['run_id']}`,
    );
    expect(body).toMatchObject({
      initial_context: { first_name: '•••' },
      gathered_context: { extracted_variables: { day: '•••' } },
      caller_number: '•••',
      transcript_public_url: null,
      public_access_token: null,
      logs: null,
    });
    const report = await api.send(headers, 'GET', `/workflow/${slots['workflow_id']}/report`);
    expect(String(report.body)).toContain('•••');
  });

  // guarantee: masked-number-cannot-be-guessed
  test('cannot guess a number by filtering with it', async () => {
    const [{ headers } = { headers: {} }] = masked;
    for (const attribute of ['callerNumber', 'calledNumber']) {
      const filters = JSON.stringify([{ attribute, type: 'text', value: { value: '49' } }]);
      const ask = (who: Record<string, string>) =>
        api.send(who, 'GET', `/organizations/usage/runs?filters=${encodeURIComponent(filters)}`);
      expect([(await ask(owner)).status, (await ask(headers)).status]).toEqual([200, 403]);
    }
  });
});
