import { z } from 'zod';
import { organizations } from '../../../src/db/tables/organizations.ts';
import { phoneNumbers } from '../../../src/db/tables/phone-numbers.ts';
import { telephonyConfigurations } from '../../../src/db/tables/telephony-configurations.ts';
import { createSecretBox } from '../../../src/providers/secrets/aes-gcm.ts';
import { sealCredentials } from '../../../src/services/telephony/accounts/configurations.ts';
import { demoAgent } from '../../demo/agent.ts';
import { sendJson, type Api } from '../conversations.ts';
import { concurrently } from '../concurrency.ts';
import { putLoad, type LoadRequest, type LoadResult } from '../load.ts';
import { machineUse } from '../machine.ts';
import type { Section } from '../report.ts';
import type { ScenarioOptions } from '../scenario.ts';
import type { MeasuredRole, MeasuredService } from '../service.ts';
import { statementsOf } from '../statements.ts';
import { quantile } from '../statistics.ts';
import { agentsSection, type Compared, type Measured, type Scaled } from './agents-section.ts';

/** Connections of the load generator. */
const connections = 16;

interface Operation {
  name: string;
  /** The minimum share of the baseline's requests a second; null without a target. */
  wantedShare: number | null;
  request: (connection: number) => LoadRequest;
}

interface Subject {
  apis: Api[];
  roles: MeasuredRole[];
}

/** Measures the cost of the agents API above its statements, and the gain of a second process. */
export async function measureAgents({ service, isQuick, print }: ScenarioOptions): Promise<Section> {
  const [rounds, ms] = isQuick ? [2, 4000] : [5, 5000];
  const agents = await prepareAgents(service);
  const operations = operationsOn(agents);
  const bare = await service.startBeside('tools/bench/bare/main.ts');
  const dialing = await service.startBeside('tools/bench/direct/main.ts');
  const second = await service.startBeside('src/api/main.ts');
  const one: Subject = { apis: [service.api], roles: [service.roles.api] };
  const compared: Compared[] = [];
  const scaled: Scaled[] = [];
  try {
    for (const operation of operations) {
      const subject = operation.name === triggerName ? { apis: [dialing.api], roles: [dialing.role] } : one;
      compared.push(
        await compare(service, operation, {
          subject,
          baseline: { apis: [bare.api], roles: [bare.role] },
          rounds,
          ms,
          print,
        }),
      );
    }
    for (const operation of operations.filter(({ name }) => name !== triggerName)) {
      print(`agents: ${operation.name}, two processes`);
      const two: Subject = { apis: [service.api, second.api], roles: [service.roles.api, second.role] };
      const [alone, together]: [Measured[], Measured[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        alone.push(await measure(service, one, operation, ms));
        together.push(await measure(service, two, operation, ms));
      }
      scaled.push({ name: operation.name, alone: middle(alone), together: middle(together) });
    }
  } finally {
    await Promise.all([bare, dialing, second].map((each) => each.stop()));
  }
  return agentsSection({
    compared,
    scaled,
    connections,
    rounds,
    seconds: ms / 1000,
    definitionBytes: agents.definitionBytes,
  });
}

interface Comparing {
  subject: Subject;
  baseline: Subject;
  rounds: number;
  ms: number;
  print: (line: string) => void;
}

/** Alternates between both, so that other load on the machine affects both alike. */
async function compare(
  service: MeasuredService,
  operation: Operation,
  { subject, baseline, rounds, ms, print }: Comparing,
): Promise<Compared> {
  await measure(service, subject, operation, 1000);
  await measure(service, baseline, operation, 1000);
  const [ours, theirs]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    print(`agents: ${operation.name}, round ${round + 1} of ${rounds}`);
    ours.push(await measure(service, subject, operation, ms));
    theirs.push(await measure(service, baseline, operation, ms));
  }
  const share = quantile(
    ours.map((each, index) => each.load.perSecond / (theirs[index]?.load.perSecond ?? Number.NaN)),
    0.5,
  );
  return {
    name: operation.name,
    wantedShare: operation.wantedShare,
    service: middle(ours),
    bare: middle(theirs),
    share,
  };
}

async function measure(
  service: MeasuredService,
  { apis, roles }: Subject,
  { request }: Operation,
  ms: number,
): Promise<Measured> {
  await Promise.all(roles.map((each) => each.loopLag()));
  const statementsBefore = await statementsOf(service);
  const [cpuBefore, use] = [await cpuOf(roles), machineUse()];
  const load: LoadResult = await putLoad(apis, { connections, ms }, request);
  const machine = use();
  const cpuMs = (await cpuOf(roles)) - cpuBefore;
  const lags = await Promise.all(roles.map((each) => each.loopLag()));
  return {
    load,
    cpuMsEach: cpuMs / load.requests,
    statementsEach: ((await statementsOf(service)) - statementsBefore) / load.requests,
    machineUse: machine,
    lagP95Ms: Math.max(...lags.map((each) => each.p95Ms)),
    lagMaxMs: Math.max(...lags.map((each) => each.maxMs)),
  };
}

/** The median round by requests a second. */
function middle(rounds: readonly Measured[]): Measured {
  const found = rounds.toSorted((one, other) => one.load.perSecond - other.load.perSecond)[
    Math.floor((rounds.length - 1) / 2)
  ];
  if (found === undefined) throw new RangeError('Nothing was measured');
  return found;
}

async function cpuOf(roles: readonly MeasuredRole[]): Promise<number> {
  return (await Promise.all(roles.map((each) => each.cpuMs()))).reduce((sum, each) => sum + each, 0);
}

const triggerName = 'POST of a trigger';

interface PreparedAgents {
  ids: number[];
  /** By agent: bodies of a PUT whose triggers have the agent's paths. */
  saves: string[];
  paths: string[];
  create: string;
  definitionBytes: number;
}

function operationsOn({ ids, saves, paths, create }: PreparedAgents): Operation[] {
  const call = JSON.stringify({
    phone_number: '+15551234567',
    initial_context: { first_name: 'Maria', appointment_day: 'Tuesday' },
  });
  return [
    {
      name: 'GET of an agent',
      wantedShare: 0.6,
      request: (connection) => ({ method: 'GET', path: `/workflow/fetch/${ids[connection]}` }),
    },
    {
      name: 'PUT of a definition',
      wantedShare: 0.5,
      request: (connection) => ({
        method: 'PUT',
        path: `/workflow/${ids[connection]}`,
        body: saves[connection] ?? '',
      }),
    },
    {
      name: 'POST create/definition',
      wantedShare: null,
      request: () => ({ method: 'POST', path: '/workflow/create/definition', body: create }),
    },
    {
      name: triggerName,
      wantedShare: null,
      request: (connection) => ({ method: 'POST', path: `/public/agent/${paths[connection]}`, body: call }),
    },
  ];
}

const Definition = z.looseObject({
  nodes: z.array(z.looseObject({ type: z.string(), data: z.looseObject({}) })),
});
const Created = z.object({ id: z.int(), workflow_definition: Definition });

/** One agent for each connection, each with ten nodes including a trigger; and a connection to dial with. */
async function prepareAgents({ api, db, env }: MeasuredService): Promise<PreparedAgents> {
  const demo = demoAgent({ webhookUrl: 'https://example.test/webhook' }).workflow_definition;
  const tenth = {
    id: 'voicemail',
    type: 'endCall',
    position: { x: 900, y: 600 },
    data: { name: 'Leave a message', prompt: 'Say who calls and that the clinic will call again.' },
  };
  const toTenth = {
    id: 'welcome-voicemail',
    source: 'welcome',
    target: 'voicemail',
    data: { label: 'Voicemail', condition: 'A machine answered.' },
  };
  // Each agent gets its own path, because a trigger path belongs to one agent.
  const nodes = demo.nodes.map((each) =>
    each.type === 'trigger' ? { ...each, data: { ...each.data, trigger_path: '' } } : each,
  );
  const definition = { nodes: [...nodes, tenth], edges: [...demo.edges, toTenth] };
  const create = JSON.stringify({ name: 'Agent of the benchmark', workflow_definition: definition });
  const created = await concurrently({ count: connections, width: 4 }, async () =>
    Created.parse((await sendJson(api, 'POST', '/workflow/create/definition', JSON.parse(create))).body),
  );
  const [organization] = await db.getRepository(organizations).find({ order: { id: 'ASC' }, take: 1 });
  const at = new Date();
  const owner = { organizationId: organization?.id ?? 0, createdAt: at, updatedAt: at };
  const secrets = createSecretBox(env['PARLANCE_ENCRYPTION_KEYS'] ?? '');
  const credentialsEncrypted = sealCredentials(secrets, owner.organizationId, {
    api_key: 'simulated-key',
    connection_id: '1',
    webhook_public_key: `${'A'.repeat(43)}=`,
  });
  const inserted = await db.getRepository(telephonyConfigurations).insert({
    ...owner,
    name: 'Connection of the benchmark',
    provider: 'telnyx',
    connectivity: 'api',
    isDefaultOutbound: true,
    credentialsEncrypted,
    inactiveSince: null,
    inactiveReason: null,
  });
  const address = '+15550100100';
  await db.getRepository(phoneNumbers).insert({
    ...owner,
    configurationId: Number(inserted.identifiers[0]?.['id']),
    address,
    addressNormalized: address,
    addressType: 'pstn',
    countryCode: null,
    label: null,
    inboundAgentId: null,
    isActive: true,
    isDefaultCallerId: null,
    extraMetadata: {},
  });
  return {
    ids: created.map(({ id }) => id),
    saves: created.map(({ workflow_definition }) => JSON.stringify({ workflow_definition })),
    paths: created.map(({ workflow_definition }) =>
      String(workflow_definition.nodes.find(({ type }) => type === 'trigger')?.data['trigger_path']),
    ),
    create,
    definitionBytes: Buffer.byteLength(JSON.stringify(definition)),
  };
}
