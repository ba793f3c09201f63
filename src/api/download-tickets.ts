import { validationRecord, type ValidationRecord } from '../contract/lax/records.ts';
import { apiPrefix, fullPath } from '../contract/paths.ts';
import { isDownload, type Route } from '../contract/route.ts';
import { routes } from '../contract/routes.ts';
import { issueDownloadTicket } from '../services/identity/index.ts';
import { grantOf, type ServiceContext, wireTimestamp } from '../services/kernel/index.ts';
import { type Handlers, handlerOf, isRouteName, requireScope } from './bind.ts';
import { withTicket } from './middleware/download-ticket.ts';
import { requestFaults } from './middleware/problem.ts';
import { readInput } from './read-input.ts';
import { Reply } from './answers/reply.ts';
import type { DownloadRouteDeps } from './routes/downloads.ts';

/**
 * Tickets for downloads that a browser opens by itself (contract 6.9). The download is begun and left before, so
 * that what refuses it is said here, and not to a browser that shows nobody why a file failed. Throws what the
 * download throws, and ValidationError for a path that is none.
 */
export function downloadTicketHandlers(
  { publicUrl, tickets }: Pick<DownloadRouteDeps, 'publicUrl' | 'tickets'>,
  handlers: Omit<Handlers<ServiceContext>, 'createDownloadTicket'>,
): Pick<Handlers<ServiceContext>, 'createDownloadTicket'> {
  return {
    createDownloadTicket: async ({ ctx, input: { body }, client }) => {
      const address = new URL(`${apiPrefix}${body.path}`, publicUrl);
      const found = downloadAt(address);
      if (found === null) throw refused(body.path);
      requireScope(grantOf(ctx.actor), found.route);
      const input = readInput(found.route, found, undefined);
      if (!input.ok) throw requestFaults(input.records.map(withinPath));
      await begin(
        await handlerOf(handlers, found.name)({ ctx, input: input.value, client, file: undefined }),
      );
      const { ticket, expiresAt } = issueDownloadTicket({ ctx, tickets, address: found.url });
      return {
        url: `${publicUrl}${withTicket({ ticket, address: found.url })}`,
        expires_at: wireTimestamp(expiresAt),
      };
    },
  };
}

const downloads = Object.keys(routes)
  .filter(isRouteName)
  .filter((name) => isDownload(routes[name]));

/** The download at an address, with what a request to it would have; null if there is none. */
function downloadAt({ pathname, search }: URL) {
  for (const name of downloads) {
    const route: Route = routes[name];
    const pattern = fullPath(route).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const match = new RegExp(`^${pattern}$`).exec(pathname);
    if (match === null) continue;
    const params = Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]);
    return {
      name,
      route,
      params: Object.fromEntries(params),
      url: `${pathname}${search}`,
      get: () => undefined,
    };
  }
  return null;
}

/** Reads the first piece of a file, which is as far as a refusal can come. */
async function begin(answer: unknown): Promise<void> {
  if (!(answer instanceof Reply) || answer.content.kind !== 'stream') return;
  const pieces = answer.content.pieces[Symbol.asyncIterator]();
  await pieces.next();
  await pieces.return?.();
}

const withinPath = (record: ValidationRecord): ValidationRecord => ({
  ...record,
  loc: ['body', 'path', ...record.loc],
});

const refused = (path: string) =>
  requestFaults([
    validationRecord(['body', 'path'], {
      type: 'value_error',
      msg: 'Value error, there is no download at this path',
      input: path,
      ctx: { error: {} },
    }),
  ]);
