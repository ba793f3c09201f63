import { Router, type Request, type Response } from 'express';
import { apiPrefix } from '../../contract/paths.ts';
import { NotFoundError, PreconditionError, UnauthenticatedError } from '../../domain/errors.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import {
  receiveCallEvent,
  receiveTransferEvent,
  type EventReceipt,
  type SentWebhook,
} from '../../services/telephony/index.ts';
import { takeInboundCall, type InboundDeps } from '../../services/calls/index.ts';
import { readBody } from '../body/read-body.ts';
import { TransportError } from '../middleware/problem.ts';
import { jsonReply, Reply } from '../answers/reply.ts';
import { send } from '../answers/send.ts';

/**
 * Events of carriers (contract 12.4, 12.5, 12.7; docs/telephony.md). These routes are not in the route table,
 * because only carriers call them, with a signature over the body instead of a key. Temporary failures are
 * never answered with 4xx, because a carrier would not send the event again.
 */
export function carrierRoutes(deps: InboundDeps & { metrics: Metrics }): Router {
  const router = Router({ caseSensitive: true });
  const serve = (path: string, answer: (req: Request, webhook: SentWebhook) => Promise<Reply>) => {
    router.post(`${apiPrefix}/telephony/${path}`, async (req: Request, res: Response) => {
      res.locals['routePattern'] = `/telephony/${path}`;
      await send(res, await answer(req, { raw: await bodyOf(req), headers: req.headers }));
    });
  };
  for (const [provider, { read }] of deps.webhooks) {
    serve(`${provider}/events/:run_id`, async (req, webhook) =>
      receiptReply(deps, await receiveCallEvent(deps, { callId: idIn(req, 'run_id'), webhook })),
    );
    serve(`${provider}/transfer-result/:transfer_id`, async (req, webhook) => {
      const receipt = receiptReply(
        deps,
        await receiveTransferEvent(deps, { reference: String(req.params['transfer_id']), webhook }),
      );
      return isEarly(read(webhook.raw)?.what?.kind) ? jsonReply(200, { status: 'pending' }) : receipt;
    });
  }
  // For the older forms too, the called number decides which agent answers.
  for (const path of ['inbound/run', 'inbound/fallback', 'inbound/:workflow_id'])
    serve(path, async (_req, webhook) => replyToCall(deps, webhook));
  return router;
}

async function bodyOf(req: Request): Promise<Buffer> {
  const body = await readBody(req);
  if (body === null) throw new TransportError(413, 'body_too_large', 'Request body too large');
  return body;
}

/** Reads an id. Throws NotFoundError for a malformed one. */
function idIn(req: Request, name: string): number {
  const id = Number(req.params[name]);
  if (!Number.isSafeInteger(id) || id < 1) throw unknownCall();
  return id;
}

const unknownCall = (): NotFoundError => new NotFoundError('Workflow run not found');

/** Whether the leg of a transfer is not answered yet (contract 12.7). */
function isEarly(kind: string | undefined): boolean {
  return kind === 'initiated' || kind === 'ringing';
}

function receiptReply({ metrics }: { metrics: Metrics }, receipt: EventReceipt): Reply {
  metrics.count('parlance_carrier_events_total', { receipt });
  switch (receipt) {
    case 'kept':
      return jsonReply(200, { status: 'success' });
    // Alike, so that nobody can count calls without a carrier's key.
    // guarantee: call-ids-not-countable
    case 'unknown_call':
    case 'unverified':
      throw new UnauthenticatedError('Invalid webhook signature');
    case 'unreadable':
      throw new PreconditionError('The body is not a carrier event', { status: 400 });
  }
}

async function replyToCall(deps: InboundDeps & { metrics: Metrics }, webhook: SentWebhook): Promise<Reply> {
  const taking = await takeInboundCall(deps, webhook);
  deps.metrics.count('parlance_carrier_events_total', { receipt: taking.kind });
  switch (taking.kind) {
    case 'taken':
    case 'ignored':
      return jsonReply(200, { status: 'ok' });
    case 'refused':
      return jsonReply(200, { error: `TelephonyError.${taking.reason}`, message: taking.message });
    case 'unverified':
      throw new UnauthenticatedError('Invalid webhook signature');
    case 'not_recognized':
      return new Reply(200, { kind: 'file', bytes: hangUp, mediaType: 'application/xml' });
  }
}

/** A hang-up document that several carriers understand. */
const hangUp = Buffer.from('<?xml version="1.0" encoding="UTF-8"?><Response><Hangup/></Response>');
