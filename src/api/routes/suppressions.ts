import type { ServiceContext } from '../../services/kernel/index.ts';
import {
  addSuppressions,
  exportSuppressions,
  importSuppressions,
  listSuppressions,
  removeSuppression,
} from '../../services/contacts/index.ts';
import type { Handlers } from '../bind.ts';
import { csvReply } from '../answers/reply.ts';
import type { DirectoryRouteDeps } from './directories.ts';

type SuppressionRoute =
  | 'suppressNumbers'
  | 'listSuppressions'
  | 'importSuppressions'
  | 'exportSuppressions'
  | 'removeSuppression';

/** Suppressed numbers (docs/suppression.md). Their files are stored and read like directories. */
export function suppressionHandlers({
  directories: deps,
}: DirectoryRouteDeps): Pick<Handlers<ServiceContext>, SuppressionRoute> {
  return {
    suppressNumbers: ({ ctx, input: { body } }) =>
      addSuppressions({ ctx, input: { numbers: body.phone_numbers, reason: body.reason ?? null } }),
    listSuppressions: ({ ctx, input: { query } }) =>
      listSuppressions({
        ctx,
        input: { number: query.number ?? null, cursor: query.cursor ?? null, limit: query.limit ?? 50 },
      }),
    importSuppressions: ({ ctx, input: { query }, file }) =>
      importSuppressions({
        ctx,
        deps,
        input: {
          bytes: file.bytes,
          column: query.column,
          defaultCountry: query.default_country?.toUpperCase() ?? null,
          reason: query.reason ?? '',
        },
      }),
    exportSuppressions: ({ ctx }) =>
      Promise.resolve(
        csvReply(
          `suppressions_${ctx.clock.now().toISOString().slice(0, 10)}.csv`,
          exportSuppressions({ ctx }),
        ),
      ),
    removeSuppression: ({ ctx, input: { params, query } }) =>
      removeSuppression({ ctx, input: { id: params.suppression_id, reason: query.reason } }),
  };
}
