import { Command, InvalidArgumentError, Option } from 'commander';
import { listAgents } from './agents-list.ts';
import { diffAgents } from './agents-diff.ts';
import { pullAgents } from './agents-pull.ts';
import { pushAgents } from './agents-push.ts';
import { chat } from './chat.ts';
import { placeCall } from './place-call.ts';
import { listRuns } from './runs-list.ts';
import { showRun } from './runs-show.ts';
import { tailRuns } from './runs-tail.ts';
import { listWebhooks } from './webhooks-list.ts';
import { listenForWebhooks } from './webhooks-listen.ts';
import { resendWebhooks } from './webhooks-resend.ts';
import type { CliContext } from '../context.ts';
import { UsageError, type ExitCode } from '../failures.ts';

/** Options of all commands. */
export interface CommonOptions {
  url?: string;
  apiKey?: string;
  profile?: string;
  json?: boolean;
  timeout: number;
}

export interface ProgramDeps {
  version: string;
  /** Runs a command that talks to the API. */
  run: (common: CommonOptions, command: (ctx: CliContext) => Promise<ExitCode>) => Promise<void>;
  logIn: (common: CommonOptions) => Promise<void>;
  logOut: (common: CommonOptions) => Promise<void>;
}

const agentsDir = 'agents';

/** Defines the command line. The commands themselves are in `commands`. */
export function createProgram(deps: ProgramDeps): Command {
  const program = new Command('parlance')
    .description('Work with agents as files, conversations and webhooks of a Parlance service.')
    .version(deps.version)
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 1 difference or conflict, 2 wrong usage, 3 refused by the API, 4 no answer, 130 interrupted.',
    );
  addAgents(program, deps);
  addChat(program, deps);
  addCall(program, deps);
  addRuns(program, deps);
  addWebhooks(program, deps);
  common(program.command('login').description('store the URL of an API and an API key'), (options) =>
    deps.logIn(options),
  );
  common(program.command('logout').description('delete a stored URL and key'), (options) =>
    deps.logOut(options),
  );
  return program;
}

function addAgents(program: Command, { run }: ProgramDeps): void {
  const agents = program.command('agents').description('list agents, and pull and push them as files');
  common<{ archived?: boolean }>(
    agents.command('list').description('list agents').option('--archived', 'include archived agents'),
    (options) => run(options, (ctx) => listAgents(ctx, options)),
  );
  const withDir = (command: Command) =>
    command.option('--dir <folder>', 'folder that contains the agent folders', agentsDir);

  common<{ all?: boolean; force?: boolean; dir: string }>(
    withDir(
      agents
        .command('pull [agents...]')
        .description('write agents to folders, by default those that have a folder')
        .option('--all', 'pull all active agents')
        .option('--force', 'overwrite local changes that were not pushed'),
    ),
    (options, wanted) => run(options, (ctx) => pullAgents(ctx, { ...options, wanted })),
  );
  common<{ publish?: boolean; create?: boolean; force?: boolean; dir: string }>(
    withDir(
      agents
        .command('push [folders...]')
        .description('send folders to the server, by default all')
        .option('--publish', 'publish the pushed agents')
        .option('--create', 'create agents for folders that the server does not know')
        .option('--force', 'overwrite changes on the server since the pull'),
    ),
    (options, folders) => run(options, (ctx) => pushAgents(ctx, { ...options, folders })),
  );
  common<{ dir: string }>(
    withDir(agents.command('diff [folders...]').description('show what a push would change')),
    (options, folders) => run(options, (ctx) => diffAgents(ctx, { ...options, folders })),
  );
}

function addChat(program: Command, { run }: ProgramDeps): void {
  const command = withValues(
    program
      .command('chat <agent>')
      .description('hold a text conversation with an agent: its draft, or its published version')
      .option('--script <file>', 'send the lines of a file'),
  );
  common<{ script?: string; value: Record<string, string> }>(command, (options, [agent = '']) =>
    run(options, (ctx) =>
      chat(ctx, {
        agent,
        values: options.value,
        ...(options.script === undefined ? {} : { script: options.script }),
      }),
    ),
  );
}

function addCall(program: Command, { run }: ProgramDeps): void {
  const command = withValues(
    program
      .command('call <agent> <number>')
      .description('start a call by phone with the published version of an agent')
      .option('--draft', 'use the draft instead'),
  );
  common<{ draft?: boolean; value: Record<string, string> }>(
    command,
    (options, [agent = '', phoneNumber = '']) =>
      run(options, (ctx) => placeCall(ctx, { ...options, agent, phoneNumber, values: options.value })),
  );
}

const withValues = (command: Command): Command =>
  command.addOption(
    new Option('--value <name=value>', 'initial value of the call; may be repeated')
      .argParser(addValue)
      .default({}, 'none'),
  );

function addRuns(program: Command, { run }: ProgramDeps): void {
  const runs = program.command('runs').description('list, show and follow calls of an agent');
  common<{ page: number; limit: number; state?: 'running' | 'completed' }>(
    runs
      .command('list <agent>')
      .description('list calls, newest first')
      .addOption(
        new Option('--page <number>', 'number of the page').argParser(countOf(1, 1_000_000)).default(1),
      )
      .addOption(
        new Option('--limit <number>', 'calls per page, at most 100').argParser(countOf(1, 100)).default(20),
      )
      .addOption(new Option('--state <state>', 'only calls in this state').choices(['running', 'completed'])),
    (options, [agent = '']) => run(options, (ctx) => listRuns(ctx, { ...options, agent })),
  );
  common<object>(
    runs.command('show <agent> <call>').description('show a call with its transcript'),
    (options, [agent = '', call = '']) =>
      run(options, (ctx) => showRun(ctx, { agent, callId: readCallId(call) })),
  );
  common<object>(
    runs.command('tail <agent> [call]').description('follow a call until it ends, or all calls of an agent'),
    (options, [agent = '', call]) =>
      run(options, (ctx) =>
        tailRuns(ctx, { agent, ...(call === undefined ? {} : { callId: readCallId(call) }) }),
      ),
  );
}

function addWebhooks(program: Command, { run }: ProgramDeps): void {
  const webhooks = program.command('webhooks').description('list, receive and resend webhooks');
  common<{ failed?: boolean; limit: number; cursor?: string }>(
    webhooks
      .command('list')
      .description('list deliveries, newest first')
      .option('--failed', 'only dead letters')
      .addOption(
        new Option('--limit <number>', 'deliveries per page, at most 100')
          .argParser(countOf(1, 100))
          .default(20),
      )
      .option('--cursor <cursor>', 'cursor of the next page'),
    (options) => run(options, (ctx) => listWebhooks(ctx, options)),
  );
  common<{ port: number; forward?: string }>(
    webhooks
      .command('listen')
      .description('receive, verify and show webhooks on this machine')
      .addOption(
        new Option('--port <port>', 'port on 127.0.0.1; 0 takes any free port')
          .argParser(countOf(0, 65_535))
          .default(9000),
      )
      .option('--forward <url>', 'forward genuine webhooks to this URL and return its status'),
    (options) => run(options, (ctx) => listenForWebhooks(ctx, options)),
  );
  common<{ failed?: boolean; since?: string }>(
    webhooks
      .command('resend [delivery]')
      .description('send a delivery again, or all dead letters')
      .option('--failed', 'all dead letters')
      .option('--since <time>', 'with --failed: 30m, 2h, 3d, or an ISO 8601 timestamp'),
    (options, [deliveryUuid]) =>
      run(options, (ctx) =>
        resendWebhooks(ctx, { ...options, ...(deliveryUuid === undefined ? {} : { deliveryUuid }) }),
      ),
  );
}

/** Adds the common options and the action of a command. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- type of the options that commander reads
function common<Own extends object>(
  command: Command,
  act: (options: CommonOptions & Own, args: string[]) => Promise<void>,
): void {
  command
    .option('--url <url>', 'URL of the API (PARLANCE_URL)')
    .option('--api-key <key>', 'API key (PARLANCE_API_KEY)')
    .option('--profile <name>', 'stored URL and key (PARLANCE_PROFILE)')
    .option('--json', 'print JSON: one value, or one per line for streams')
    .addOption(
      new Option('--timeout <seconds>', 'timeout of an answer').argParser(countOf(1, 600)).default(30),
    )
    .action(async () => act(command.opts<CommonOptions & Own>(), command.args));
}

/** Reads a whole number within limits. Throws InvalidArgumentError, which commander shows with the option. */
const countOf =
  (min: number, max: number) =>
  (text: string): number => {
    if (!/^\d{1,16}$/.test(text) || Number(text) < min || Number(text) > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return Number(text);
  };

function readCallId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new UsageError(`"${text}" is not the id of a call`, '`parlance runs list <agent>` shows the ids.');
  return Number(text);
}

function addValue(text: string, values: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([^=]+)=([^]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It must be name=value.');
  return { ...values, [name]: value };
}
