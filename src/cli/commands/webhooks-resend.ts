import type { CliContext } from '../context.ts';
import { exitCodes, UsageError, type ExitCode } from '../failures.ts';
import { readSince } from './read-since.ts';

export interface ResendOptions {
  deliveryUuid?: string;
  failed?: boolean;
  /** A timestamp, or how long ago. */
  since?: string;
}

/** Sends a delivery again, or all dead letters since a time, oldest first. */
export async function resendWebhooks(
  { terminal, webhooks }: CliContext,
  { deliveryUuid, failed = false, since }: ResendOptions,
): Promise<ExitCode> {
  if ((deliveryUuid === undefined) === !failed)
    throw new UsageError(
      'Name a delivery, or use --failed --since',
      'parlance webhooks resend --failed --since 2h',
    );
  if (failed && since === undefined)
    throw new UsageError('--failed needs --since', 'For example --since 2h, 3d, or 2026-01-31T10:00:00Z.');
  const queued =
    deliveryUuid === undefined
      ? await webhooks.resendFailed(readSince(since ?? '', new Date()))
      : await webhooks.resend(deliveryUuid);
  terminal.value({ queued });
  terminal.say(queued === 1 ? '1 webhook will be sent.' : `${queued} webhooks will be sent, oldest first.`);
  return exitCodes.ok;
}
