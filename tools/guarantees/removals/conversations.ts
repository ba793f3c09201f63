import type { Removals } from '../removals.ts';

/** Calls in text, requests that are carried out once, changes, webhooks, what is spoken and stored. */
export const conversations: Removals = {
  'src/services/calls/turns/run-tool.ts': [
    [
      'isKnown ? JSON.stringify(toToolAnswer(await sendToolRequest({ http: deps.http, request, credentialHeaders, signal }))) : errorText(outcomeUnknown)',
      'JSON.stringify(toToolAnswer(await sendToolRequest({ http: deps.http, request, credentialHeaders, signal })))',
    ],
  ],
  'src/services/calls/turns/commit-turn.ts': [
    ['session.revision >= input.checkpoint.revision) return;', 'false) return;'],
  ],
  'src/services/calls/finish/finalize-call.ts': [
    ["if (call.state === 'ended') return", 'if (false) return'],
    ['await honorOptOut(db,', 'void Array.of(db,'],
    ['keepOptOuts(base,', '((_: unknown, read: typeof base) => read)(base,'],
  ],
  'src/workflows/call/conversation.ts': [
    [
      'if (expectedRevision !== checkpoint.revision) throw conflict(expectedRevision, checkpoint.revision);',
      '',
    ],
  ],
  'src/workflows/call/workflow.ts': [
    [
      'CancellationScope.nonCancellable(async () => {',
      '((finishing: () => Promise<CallResult>) => finishing())(async () => {',
    ],
    ['if (mustContinueAsNew(call)) await goOnInFreshRun(call, conversation);', ''],
  ],
  'src/services/operations/reconcile/close-stray.ts': [
    ['await finalizeWithin(tx,', 'void Array.of(tx,'],
    ['await hangUpAll(', 'void Array.of('],
  ],
  'src/workflows/call/finish.ts': [['if (qaNodes.length > 0)', 'if (false)']],
  'src/worker/create-workers.ts': [
    ['defaultVersioningBehavior: declared.versioningBehavior', "defaultVersioningBehavior: 'AUTO_UPGRADE'"],
  ],
  'src/services/kernel/idempotency/claim.ts': [
    ["if (row.claimExpiresAt > now) return { kind: 'running' };", ''],
  ],
  'src/services/kernel/idempotency/once.ts': [
    ['if (made !== null) return made;', ''],
    [
      'await updateRows(tx, idempotencyKeys, { where: whereHeld(ctx, claim), change: { subjectKind: kind, subjectId: id } })',
      '1',
    ],
  ],
  'src/temporal/call-starter.ts': [
    ["workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,", ''],
    ['executeUpdate(sendMessageUpdate, { updateId, ', 'executeUpdate(sendMessageUpdate, { '],
  ],
  'src/services/calls/start/admit-call.ts': [
    ["if (call.state !== 'pending') return { kind: 'refused' };", ''],
  ],
  'src/services/calls/start/web/take-seat.ts': [
    ["if (call.state !== 'created') return", 'if (false) return'],
  ],
  'src/services/calls/start/web/start.ts': [['await refuseCall(deps, call);', '']],
  'src/services/agents/if-match.ts': [['if (matchesRecord(ifMatch, record)) return;', 'return;']],
  'src/services/agents/tag.ts': [
    ['return hashOf(Object.entries(record)', 'return hashOf(Object.entries({})'],
  ],
  'src/services/kernel/audit/append.ts': [['requestId: ctx.requestId ?? null', 'requestId: null']],
  'src/services/agents/change-state.ts': [
    ['await appendAudit(tx, ctx, { action: input.state', 'void Array.of({ action: input.state'],
  ],
  'src/services/agents/agent-tools/mapper.ts': [
    ['status: state, definition: maskToolSecrets(definition) };', 'status: state, definition };'],
  ],
  'src/services/calls/turns/scene.ts': [
    [
      'findRow(deps.db.manager, agentVersions, { id: versionId, organizationId })',
      "deps.db.getRepository(agentVersions).findOne({ where: { organizationId }, order: { id: 'DESC' } })",
    ],
  ],
  'src/workflows/delivery/workflow.ts': [
    ['if (delayMs > 0) await waitForTurn({ input, display, asked, delayMs });', ''],
    ['await scheduleNextAttempt({', 'void Array.of({'],
    ['await CancellationScope.nonCancellable(() => bury({ input, display, reason }));', ''],
  ],
  'src/services/webhooks/deliveries/begin-attempt.ts': [
    ["(present !== null && present.state !== 'started')", 'present !== null'],
  ],
  'src/services/calls/finish/prepare-deliveries.ts': [
    ['nodes.filter(({ id }) => !present.has(id))', 'nodes'],
  ],
  'src/services/webhooks/deliveries/request.ts': [
    ["...(signature === '' ? {} : { 'webhook-signature': signature }),", ''],
  ],
  'src/services/webhooks/deliveries/resend.ts': [['await starter.resend({', 'void Array.of({']],
  'src/domain/agent-templates/compose.ts': [
    ['[openingId, ...steps.map(({ id }) => id)].map((from)', '[openingId].map((from)'],
  ],
  'src/domain/agent-templates/design-faults.ts': [['saysAi.test(fixedWords(first))', 'true']],
  'src/services/agents/generated-design.ts': [
    ['const faults = designFaults(bare);', 'const faults: string[] = [];'],
  ],
  'src/domain/template/render.ts': [
    ["(defaultText ?? '')", '(defaultText ?? `{{${name}}}`)'],
    [
      "segment.kind === 'text' ? segment.text : valueText(segment, context)",
      "segment.kind === 'text' ? segment.text : renderTemplate(valueText(segment, context), context)",
    ],
  ],
  'src/domain/template/render-url.ts': [
    ["if (part === null) return { kind: 'invalid'", "if (false) return { kind: 'invalid'"],
  ],
  'src/domain/extraction/answer.ts': [
    ["value.trim() !== '' ? value.trim() : null", "value.trim() !== '' ? value.trim() : ''"],
  ],
  'src/domain/extraction/prompt.ts': [
    [' give null; never guess, never fill in a usual or likely value.', ' give a likely value.'],
  ],
  'src/services/calls/finish/extract.ts': [
    [
      "values === null ? { failed: 'the language model answered no JSON object', usage } : { values, usage }",
      '{ values: values ?? {}, usage }',
    ],
  ],
};
