import type { AgentApi } from './remote/agents.ts';
import type { CallApi } from './remote/calls.ts';
import type { WebhookApi } from './remote/webhooks.ts';
import type { Terminal } from './output/terminal.ts';

/** Dependencies of a command. Commands return their exit code or throw a CliError. */
export interface CliContext {
  terminal: Terminal;
  /** URL of the API. */
  url: string;
  agents: AgentApi;
  calls: CallApi;
  /** For requests after Ctrl-C, with a timeout of a few seconds each. */
  lastCalls: CallApi;
  webhooks: WebhookApi;
  /** Aborted by Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  /** Does what Ctrl-C does. */
  interrupt: () => void;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
}
