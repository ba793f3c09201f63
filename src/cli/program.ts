import { Command, InvalidArgumentError, Option } from 'commander';
import { listAgents } from './commands/agents-list.ts';
import { diffAgents } from './commands/agents-diff.ts';
import { pullAgents } from './commands/agents-pull.ts';
import { pushAgents } from './commands/agents-push.ts';
import { chat } from './commands/chat.ts';
import { listRuns } from './commands/runs-list.ts';
import { showRun } from './commands/runs-show.ts';
import { tailRuns } from './commands/runs-tail.ts';
import { listWebhooks } from './commands/webhooks-list.ts';
import { listenForWebhooks } from './commands/webhooks-listen.ts';
import { resendWebhooks } from './commands/webhooks-resend.ts';
import type { CliContext } from './context.ts';
import { UsageError, type ExitCode } from './failures.ts';

/** Options that every command takes. */
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

/** The command line: what there is to type. What each command does is in `commands`. */
export function createProgram(deps: ProgramDeps): Command {
  const program = new Command('parlance')
    .description('Agents as files, conversations and webhooks of a Parlance service, from the command line.')
    .version(deps.version)
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 a difference or a conflict, 2 wrong usage, 3 the API refused, 4 no answer, 130 interrupted.',
    );
  addAgents(program, deps);
  addChat(program, deps);
  addRuns(program, deps);
  addWebhooks(program, deps);
  common(program.command('login').description('store an address and an API key'), (options) =>
    deps.logIn(options),
  );
  common(program.command('logout').description('forget a stored address and key'), (options) =>
    deps.logOut(options),
  );
  return program;
}

function addAgents(program: Command, { run }: ProgramDeps): void {
  const agents = program.command('agents').description('agents, and agents as files');
  common<{ archived?: boolean }>(
    agents.command('list').description('list agents').option('--archived', 'archived ones, too'),
    (options) => run(options, (ctx) => listAgents(ctx, options)),
  );
  const withDir = (command: Command) =>
    command.option('--dir <folder>', 'where the folders of agents are', agentsDir);

  common<{ all?: boolean; force?: boolean; dir: string }>(
    withDir(
      agents
        .command('pull [agents...]')
        .description('write agents into folders; without names those that have one')
        .option('--all', 'every active agent')
        .option('--force', 'also over changes that were never pushed'),
    ),
    (options, wanted) => run(options, (ctx) => pullAgents(ctx, { ...options, wanted })),
  );
  common<{ publish?: boolean; create?: boolean; force?: boolean; dir: string }>(
    withDir(
      agents
        .command('push [folders...]')
        .description('send folders to the server; without names all of them')
        .option('--publish', 'publish what was pushed: the next call uses it')
        .option('--create', 'make agents of folders that the server does not know')
        .option('--force', 'also over what was changed on the server since the pull'),
    ),
    (options, folders) => run(options, (ctx) => pushAgents(ctx, { ...options, folders })),
  );
  common<{ dir: string }>(
    withDir(agents.command('diff [folders...]').description('show what a push would change')),
    (options, folders) => run(options, (ctx) => diffAgents(ctx, { ...options, folders })),
  );
}

function addChat(program: Command, { run }: ProgramDeps): void {
  const command = program
    .command('chat <agent>')
    .description('talk with an agent as text: its draft, else what is published')
    .option('--script <file>', 'say the lines of a file')
    .addOption(
      new Option('--value <name=value>', 'a value of the call; may be repeated')
        .argParser(addValue)
        .default({}, 'none'),
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

function addRuns(program: Command, { run }: ProgramDeps): void {
  const runs = program.command('runs').description('calls of an agent');
  common<{ page: number; limit: number; state?: 'running' | 'completed' }>(
    runs
      .command('list <agent>')
      .description('list calls, newest first')
      .addOption(new Option('--page <number>', 'which page').argParser(countOf(1, 1_000_000)).default(1))
      .addOption(
        new Option('--limit <number>', 'calls on a page, at most 100').argParser(countOf(1, 100)).default(20),
      )
      .addOption(new Option('--state <state>', 'only those').choices(['running', 'completed'])),
    (options, [agent = '']) => run(options, (ctx) => listRuns(ctx, { ...options, agent })),
  );
  common<object>(
    runs.command('show <agent> <call>').description('show one call with what was said'),
    (options, [agent = '', call = '']) =>
      run(options, (ctx) => showRun(ctx, { agent, callId: readCallId(call) })),
  );
  common<object>(
    runs.command('tail <agent> [call]').description('follow a call to its end, or the calls of an agent'),
    (options, [agent = '', call]) =>
      run(options, (ctx) =>
        tailRuns(ctx, { agent, ...(call === undefined ? {} : { callId: readCallId(call) }) }),
      ),
  );
}

function addWebhooks(program: Command, { run }: ProgramDeps): void {
  const webhooks = program.command('webhooks').description('webhooks of ended calls');
  common<{ failed?: boolean; limit: number; cursor?: string }>(
    webhooks
      .command('list')
      .description('list deliveries, newest first')
      .option('--failed', 'only those that were given up')
      .addOption(
        new Option('--limit <number>', 'deliveries on a page, at most 100')
          .argParser(countOf(1, 100))
          .default(20),
      )
      .option('--cursor <cursor>', 'the next page'),
    (options) => run(options, (ctx) => listWebhooks(ctx, options)),
  );
  common<{ port: number; forward?: string }>(
    webhooks
      .command('listen')
      .description('receive webhooks on this machine, verify and show them')
      .addOption(
        new Option('--port <port>', 'port of 127.0.0.1; 0 takes any')
          .argParser(countOf(0, 65_535))
          .default(9000),
      )
      .option('--forward <url>', 'hand genuine ones on to this address and answer what it answers'),
    (options) => run(options, (ctx) => listenForWebhooks(ctx, options)),
  );
  common<{ failed?: boolean; since?: string }>(
    webhooks
      .command('resend [delivery]')
      .description('send one again, or all that were given up')
      .option('--failed', 'all that were given up')
      .option('--since <moment>', 'with --failed: 30m, 2h, 3d, or an ISO 8601 moment'),
    (options, [deliveryUuid]) =>
      run(options, (ctx) =>
        resendWebhooks(ctx, { ...options, ...(deliveryUuid === undefined ? {} : { deliveryUuid }) }),
      ),
  );
}

/** Adds the common options and what the command does with them and its arguments. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what commander read by the options above
function common<Own extends object>(
  command: Command,
  act: (options: CommonOptions & Own, args: string[]) => Promise<void>,
): void {
  command
    .option('--url <address>', 'address of the API (PARLANCE_URL)')
    .option('--api-key <key>', 'API key (PARLANCE_API_KEY)')
    .option('--profile <name>', 'a stored address and key (PARLANCE_PROFILE)')
    .option('--json', 'for programs: one JSON value, or one a line where things go on')
    .addOption(
      new Option('--timeout <seconds>', 'how long one answer may take')
        .argParser(countOf(1, 600))
        .default(30),
    )
    .action(async () => act(command.opts<CommonOptions & Own>(), command.args));
}

/** Reads a whole number within limits. Throws what commander tells the person with the option's name. */
const countOf =
  (min: number, max: number) =>
  (text: string): number => {
    if (!/^\d{1,16}$/.test(text) || Number(text) < min || Number(text) > max)
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return Number(text);
  };

function readCallId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new UsageError(`"${text}" is no id of a call`, '`parlance runs list <agent>` shows them.');
  return Number(text);
}

function addValue(text: string, values: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([^=]+)=([^]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It must be name=value.');
  return { ...values, [name]: value };
}
