import type { RetentionPreview } from '../../../contract/retention.ts';
import type { ServiceContext } from '../../kernel/index.ts';
import { contents, dueCalls } from './apply.ts';
import type { RetentionAges } from './set-policy.ts';

/** How many calls have content that a policy would remove now. Changes nothing. */
export async function previewRetention({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: RetentionAges;
}): Promise<RetentionPreview> {
  const found = { transcripts: 0, recordings: 0, variables: 0 };
  const policy = { ...input, organizationId: ctx.organizationId };
  for (const content of contents) {
    const due = dueCalls(ctx, policy, content);
    // A joined recording may still have pieces; it counts once.
    if ('having' in content) due?.andWhere('call.recordedAt IS NULL');
    found[content.kind] += (await due?.getCount()) ?? 0;
  }
  return found;
}
