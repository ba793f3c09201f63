import type { CliContext } from '../context.ts';
import { exitCodes, UsageError, type ExitCode } from '../failures.ts';
import { readSince } from './read-since.ts';

export interface ResendOptions {
  deliveryUuid?: string;
  failed?: boolean;
  /** A moment, or how long ago. */
  since?: string;
}

/** Sends one delivery again, or all that were given up since a moment, oldest first. */
export async function resendWebhooks(
  { terminal, webhooks }: CliContext,
  { deliveryUuid, failed = false, since }: ResendOptions,
): Promise<ExitCode> {
  if ((deliveryUuid === undefined) === !failed)
    throw new UsageError(
      'Name one delivery, or give --failed --since',
      'parlance webhooks resend --failed --since 2h',
    );
  if (failed && since === undefined)
    throw new UsageError(
      '--failed needs --since: how far back',
      'For example 2h, 3d, or 2026-01-31T10:00:00Z.',
    );
  const queued =
    deliveryUuid === undefined
      ? await webhooks.resendFailed(readSince(since ?? '', new Date()))
      : await webhooks.resend(deliveryUuid);
  terminal.value({ queued });
  terminal.say(
    queued === 1 ? 'One webhook is on its way.' : `${queued} webhooks are on their way, oldest first.`,
  );
  return exitCodes.ok;
}
