import type { Removals } from '../removals.ts';

/** Campaigns, who must not be dialed, contact files and the directories that they become. */
export const campaigns: Removals = {
  'src/services/calls/turns/opt-out.ts': [
    [
      'const { added, targets } = await suppress(tx,',
      'const { added, targets } = ((..._: unknown[]) => ({ added: 0, targets: 0 }))(tx,',
    ],
  ],
  'src/services/contacts/suppressions/phone-column.ts': [
    ['isNumber(name) || hasManyDigits(name) };', 'isNumber(name) };'],
  ],
  'src/domain/phone/digits.ts': [
    ["return read.kind === 'phone' ? read.phone : dialedDigits(text);", 'return dialedDigits(text);'],
  ],
  'src/services/contacts/suppressions/suppress.ts': [
    ["state: In(['queued', 'waiting']) }", 'state: In([]) }'],
    [
      'change: suppressedTarget(input.at),',
      "change: { ...suppressedTarget(input.at), state: 'processed', settledAt: null },",
    ],
  ],
  'src/services/campaigns/dial-policy/is-stopped.ts': [
    ['stopped_at IS NOT NULL OR ', ''],
    ["FROM installation_stops WHERE what = 'dialing'", "FROM installation_stops WHERE what = 'nothing'"],
  ],
  'src/services/campaigns/dial-policy/hang-up.ts': [['live.campaign_id IS NOT NULL AND ', '']],
  'src/services/campaigns/pacing/lease-page.ts': [
    [
      'await lockPolicy(tx, organizationId, now);',
      '(await findRow(tx, dialPolicies, { organizationId })) as DialPolicyRow;',
    ],
    ['capacity.numbers.length, places)', 'capacity.numbers.length)'],
    ['if (found.setAside > 0) return', 'if (false) return'],
    [
      'Math.min(wanted, starts.all, starts.own)',
      'Math.min(wanted, Number.isFinite(starts.own) ? starts.own : starts.all)',
    ],
  ],
  'src/domain/campaign/canceled.ts': [["if (!wasDialed) return 'not_dialed';", '']],
  'src/domain/campaign/carrier-outage.ts': [["if (now < outage.probeAt) return 'wait';", '']],
  'src/domain/campaign/waiting-for.ts': [
    ['zoneKeys.filter((zoneKey) => rowWait(due(zoneKey), campaign, now).reason === reason)', 'zoneKeys'],
  ],
  'src/services/campaigns/targets/settle-target.ts': [
    ['if (nobodyRung.includes(outcome)) await', 'if (false) await'],
    ['wasAnswered: facts.wasAnswered, ', ''],
  ],
  'src/services/calls/turns/offered-tools.ts': [['...builtIn(scene, ofNode)', '']],
  'src/services/calls/start/trigger.ts': [
    ['await requireNotSuppressed(tx, ctx.organizationId, phoneNumber);', ''],
  ],
  'src/services/data-lifecycle/erasure/uploaded-files.ts': [
    ['|| row.cells.some((cell) => cell.split(/[,;|/]/).some(isNumber))', ''],
  ],
  'src/workflows/call/voice/dial.ts': [
    ["if (dialed.kind === 'absent') spoken.notDialed = 'carrier_down';", ''],
  ],
  'src/services/campaigns/pacing/complete.ts': [["'queued', 'waiting'] as const", "'queued'] as const"]],
  'src/services/campaigns/pacing/capacity.ts': [['pool.filter((each) => !inUse.numbers.has(each))', 'pool']],
  'src/services/campaigns/pacing/look-after-late.ts': [
    ["if (call.state === 'pending') unstarted.push(...(await startable(deps.db, target, call)));", ''],
    ['await settleLate(deps, call);', ';'],
  ],
  'src/services/campaigns/pacing/candidates.ts': [
    ['(state.isOpen ? [{ zoneKey', '(true ? [{ zoneKey'],
    ['at: new Date(Math.min(...opens))', 'at: now'],
    [' && !(await opensForSome(tx, id, windowOf))', ''],
  ],
  'src/services/campaigns/pacing/passed.ts': [
    ['if (suppressed.has(phone)) return suppressedTarget(now);', ''],
  ],
  'src/workflows/proxies.ts': [['heartbeatTimeout: timeoutsMs.importHeartbeat,', '']],
  'src/api/body/form.ts': [
    ["parser.destroy(error instanceof Error ? error : new Error('The body broke off'));", 'parser.end();'],
  ],
  'src/services/contacts/directories/upload.ts': [
    [
      'if (!(await files.write(fileKey, counted.bytes, deps.maxBytes))) throw tooLarge(deps);',
      'await files.write(fileKey, counted.bytes, Number.MAX_SAFE_INTEGER);',
    ],
  ],
  'src/services/contacts/directories/read-rows.ts': [['totals[totalOf[state]] += 1;', '']],
  'src/services/contacts/directories/import-contacts.ts': [
    ['await forbidLate(tx, own, { phones: forbidden, totals });', ''],
    ['if (isOther(row, hashes)) throw', 'if (false) throw'],
  ],
  'src/services/contacts/directories/own-attempt.ts': [
    ['if (row.totals.attempt !== own.attempt) throw', 'if (false) throw'],
  ],
  'src/services/contacts/directories/change-mapping.ts': [['requireIdle(row);', '']],
  'src/services/contacts/directories/unused-imports.ts': [['if (!kept.has(earlier)) ', '']],
  'src/services/contacts/directories/errors.ts': [
    [' || !isWanted(contact) ? null', ' ? null'],
    ['[[...cells, ...extra]]', "[[...cells.map((cell) => `'${cell}`), ...extra]]"],
  ],
  'src/domain/campaign/settle.ts': [
    ["if (dueAt === null) return { state: 'failed', dueAt: null, waitReason: 'window_never_opens' };", ''],
    ['target.attempts >= rule.maxRetries || ', ''],
  ],
  'src/domain/campaign/windows.ts': [
    ['Math.min(atMs + edgeMs - inWeekMs, stretch.untilMs)', 'atMs + edgeMs - inWeekMs'],
  ],
  'src/domain/campaign/caps.ts': [['{ max: caps.perDay, periodMs: 24 * hourMs },', '']],
  'src/domain/campaign/lines.ts': [
    ['share - mine.inUse, ', ''],
    ['return taken < own && (', 'return ('],
    ['limit - reserved - ofCampaigns', 'limit - reserved - live'],
  ],
  'src/services/campaigns/pacing/paces.ts': [
    ['await sinceLastStart(tx, campaign, now)', '{ tokens: 1, at: now }'],
  ],
  'src/domain/phone/zones.ts': [
    ['for (let length = Math.min(longest, digits.length);', 'for (let length = 1;'],
  ],
  'src/services/campaigns/verbs/internal.ts': [
    ['findCampaign(tx, ctx, id, { isLocked: true })', 'findCampaign(tx, ctx, id)'],
    ['if (!needed.includes(state)) throw', 'if (false) throw'],
  ],
  'src/services/campaigns/verbs/start.ts': [
    ['await changeCampaign(tx, campaign, { state: from, ...undo });', ''],
  ],
  'src/services/campaigns/verbs/redial.ts': [
    ['if (parent.redialedCampaignId !== null) throw', 'if (false) throw'],
    ['AND rung.outcome NOT IN (?)', 'AND (1 OR rung.outcome NOT IN (?))'],
  ],
  'src/services/campaigns/pacing/plan-targets.ts': [
    [
      'findRow(tx, campaigns, { id, organizationId }, { isLocked: true })',
      'findRow(tx, campaigns, { id, organizationId })',
    ],
  ],
  'src/services/campaigns/pacing/revise-waits.ts': [
    [
      'replan({ ...row, spent: spent.get(target.rowNumber) ?? null }, rules)',
      'replan({ ...row, spent: null }, rules)',
    ],
  ],
  'src/contract/campaigns.ts': [
    [
      'list(literal(...redialableOutcomes),',
      "list(literal(...redialableOutcomes, 'opted_out', 'wrong_number', 'invalid_number', 'suppressed'),",
    ],
  ],
  'src/services/campaigns/targets/last-check.ts': [
    ["if (lines !== null && (await olderCalls(db, target)) >= lines) return 'fewer_lines';", ''],
    ["=== null ? null : 'capped'", '=== null ? null : null'],
    ["if (await isSuppressed(db.manager, organizationId, target.phone)) return 'suppressed';", ''],
  ],
  'src/domain/campaign/row-wait.ts': [
    ['if (row.dueAt !== null && row.dueAt > now) return', 'if (false) return'],
  ],
  'src/contract/lax/collections.ts': [['z.strictObject(shape)', 'z.object(shape)']],
  'src/providers/contact-files/records.ts': [["if (end === 'broken' || ", 'if (']],
  'src/providers/contact-files/archive.ts': [
    [' && entry.uncompressedSize > limits.ratio * entry.compressedSize) throw', ' && false) throw'],
  ],
  'src/providers/contact-files/shared-texts.ts': [
    ['throw tooManyTexts(this.#max);', 'void tooManyTexts(this.#max);'],
  ],
  'src/providers/contact-files/sample.ts': [['|| !isAscii(head)) return', '|| true) return']],
  'src/providers/contact-files/text-file.ts': [['if (wishedEncoding === null) return', 'if (false) return']],
  'src/domain/directory/read-phone.ts': [["if (scientific.test(text)) return 'phone_scientific';", '']],
  'src/domain/directory/read-identifier.ts': [
    [
      "if (scientific.test(written)) return { identifier: written, fault: { code: 'identifier_scientific', level: 'warning' } };",
      '',
    ],
  ],
  'src/domain/directory/read-contact.ts': [['!isNothingFound(cell)', '!isErrorCell(cell)']],
  'src/domain/directory/plain-number.ts': [["if (type === 'PREMIUM_RATE') return 'premium';", '']],
  'src/domain/directory/exposed-names.ts': [['if (taken.has(column)) return [];', '']],
  'src/providers/contact-files/rewrite.ts': [
    ['if (row.flags === undefined && !row.isBlank) return [record.text, ...extra];', ''],
    ['extra.map(harmless)', 'extra'],
    ["all.map((cell) => quoted(cell, ','))", "all.map((cell) => quoted(harmless(cell), ','))"],
  ],
  'src/providers/contact-files/file-rows.ts': [['cells = withoutLongCells(cells, flags);', '']],
  'src/services/operations/reconcile/pace-again.ts': [
    ['await deps.campaignRuns.start(await runInputOf(deps.db.manager, campaign));', ''],
  ],
  'src/services/operations/reconcile/import-again.ts': [
    ["state === 'absent' ? importNumber : importNumber + 1", 'importNumber'],
  ],
  'src/workflows/campaign/workflow.ts': [
    ['return await continueAsNew<typeof campaignWorkflow>(input)', 'continue'],
    ['condition(() => isWoken, afterFaultMs', 'condition(() => false, afterFaultMs'],
  ],
  'src/services/campaigns/pacing/version.ts': [['versionId ?? publishedVersionId', 'publishedVersionId']],
  'src/services/campaigns/dial-policy/set-policy.ts': [['await wakeRunningCampaigns(ctx, deps);', '']],
  'src/workflows/campaign/display.ts': [
    ["handedOn('NeedsAttention') ?? false", 'false'],
    ['if (details !== this.#shown) setCurrentDetails(details);', ''],
  ],
  'src/services/campaigns/pacing/round.ts': [['await reviseWaits(deps, ref)', 'await Promise.resolve()']],
};
