import type { AgentApi } from './remote/agents.ts';
import type { CallApi } from './remote/calls.ts';
import type { WebhookApi } from './remote/webhooks.ts';
import type { Terminal } from './output/terminal.ts';

/** What a command works with. Commands answer their exit code or throw a CliError. */
export interface CliContext {
  terminal: Terminal;
  /** Address of the API. */
  url: string;
  agents: AgentApi;
  calls: CallApi;
  /** The same for what is to be done after Ctrl-C; every request has a few seconds. */
  lastCalls: CallApi;
  webhooks: WebhookApi;
  /** Aborted by Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  /** As Ctrl-C does. */
  interrupt: () => void;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
}
