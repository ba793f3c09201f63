import type { ServiceContext } from '../../services/context.ts';
import { addSuppressions, exportSuppressions, listSuppressions, removeSuppression } from '../../services/suppressions/index.ts';
import type { Handlers } from '../bind.ts';
import { csvReply } from '../reply.ts';

type SuppressionRoute = 'suppressNumbers' | 'listSuppressions' | 'exportSuppressions' | 'removeSuppression';

/** Numbers that no campaign dials (docs/suppression.md). */
export const suppressionHandlers: Pick<Handlers<ServiceContext>, SuppressionRoute> = {
  suppressNumbers: ({ ctx, input: { body } }) => addSuppressions({ ctx, input: { numbers: body.phone_numbers, reason: body.reason ?? null } }),
  listSuppressions: ({ ctx, input: { query } }) => listSuppressions({ ctx, input: { number: query.number ?? null, cursor: query.cursor ?? null, limit: query.limit ?? 50 } }),
  exportSuppressions: ({ ctx }) => Promise.resolve(csvReply(`suppressions_${ctx.clock.now().toISOString().slice(0, 10)}.csv`, exportSuppressions({ ctx }))),
  removeSuppression: ({ ctx, input: { params, query } }) => removeSuppression({ ctx, input: { id: params.suppression_id, reason: query.reason } }),
};
