import type { Removals } from '../removals.ts';

/**
 * Secrets, people and their data, requests of any form, accounts at carriers, what is counted, the
 * description.
 */
export const organizations: Removals = {
  'src/services/identity/api-keys/insert.ts': [['keyHash: hashKey(key)', 'keyHash: key']],
  'src/services/identity/users/log-in.ts': [
    ['await limits.accountFromNetwork.count(fromHere);', ''],
    ["[email, network].join(' from ')", 'email'],
    [
      'await passwords.fits(input.password, user?.passwordHash ?? null)',
      'user !== null && (await passwords.fits(input.password, user.passwordHash))',
    ],
  ],
  'src/services/identity/users/authenticate.ts': [[' revokedAt: IsNull(),', '']],
  'src/api/bind.ts': [
    ['if (scope !== undefined && !permits(scopes, scope)) throw', 'if (false) throw'],
    [
      'app[routes[name].method](expressPaths(routes[name])',
      "if (name !== 'listRuns') app[routes[name].method](expressPaths(routes[name])",
    ],
    [
      'if (!(error instanceof InvariantError)) checkAnswer(route, toReply(translate(error), requestIdOf(res)));',
      '',
    ],
  ],
  'src/services/identity/request-limits/create.ts': [['          break;', '']],
  'src/db/shared-request-counter.ts': [
    ['await own.set(subject, all.consumedPoints + since, Math.max(all.msBeforeNext, 1) / 1000);', ''],
    ['return countedOf(mine);', 'throw error;'],
  ],
  'src/services/identity/api-keys/authenticate.ts': [[' || row.archivedAt !== null', '']],
  'src/services/identity/credentials/create.ts': [
    ['secrets.seal(JSON.stringify(data), credentialPlace(ctx.organizationId))', 'JSON.stringify(data)'],
  ],
  'src/api/middleware/run-once.ts': [
    ['seal.seal(JSON.stringify(reply.content.value))', 'JSON.stringify(reply.content.value)'],
  ],
  'src/services/kernel/sealed-text.ts': [['writeSealedText(secrets.seal(plain, place), plain)', 'plain']],
  'src/services/data-lifecycle/rotation/rotate.ts': [[' + (await rotateDocuments({ db, secrets }))', '']],
  'src/services/calls/turns/converse.ts': [
    [
      'await resolveLlm({ db: deps.db, deps, organizationId: scene.call.organizationId, agentSettings: scene.settings })',
      "{ llm: deps.llm, model: deps.model, level: 'installation' as const }",
    ],
  ],
  'src/services/models/save.ts': [[' && sameAddressee(stored, llm)', '']],
  'src/services/models/internal.ts': [['findOneBy({ organizationId })', 'findOneBy({})']],
  'src/temporal/failure-converter.ts': [['encodeCommonAttributes: true', 'encodeCommonAttributes: false']],
  'src/worker/runtime.ts': [['...scalarsOf(fields)', '...fields']],
  'src/runtime/logger.ts': [["'pii', '*.pii', ", '']],
  'src/services/agents/internal.ts': [
    [
      'findRow(manager, agents, { id: agentId, organizationId: ctx.organizationId })',
      'findRow(manager, agents, { id: agentId })',
    ],
  ],
  'src/providers/storage/directory.ts': [
    [
      'if (!(await writeNew(temporary, bytes, maxBytes))) return false;\n    const made = await onDisk(mkdir(dirname(path), { recursive: true, mode: 0o700 }));\n    await onDisk(rename(temporary, path));',
      'const made = await onDisk(mkdir(dirname(path), { recursive: true, mode: 0o700 }));\n    await rm(path, { force: true });\n    if (!(await writeNew(path, bytes, maxBytes))) return false;',
    ],
  ],
  'src/providers/storage/s3.ts': [
    [", signableHeaders: new Set(['content-length', 'content-type', 'host'])", ''],
  ],
  'src/providers/storage/s3-segments.ts': [
    ['if (open.length >= segmentBytes) finish();', ''],
    [
      '      await put(`${folder}/${nameOf(segment.at)}`, segment.bytes);\n      waiting.shift();',
      '      waiting.shift();\n      await put(`${folder}/${nameOf(segment.at)}`, segment.bytes);',
    ],
  ],
  'src/services/calls/files/find.ts': [['organizationOfKey(key) === ctx.organizationId', 'true']],
  'src/providers/storage/local.ts': [[' && leave.expiresAtMs > clock.now().getTime()', '']],
  'src/services/data-lifecycle/erasure/erase-call.ts': [
    ['if (!call.isOver) await hangUpAll({ deps: { ...ctx, accounts }, input: ref });', ''],
  ],
  'src/services/telephony/events/store.ts': [
    ['call !== null && call.variablesErasedAt !== null ? null : bodyOf(raw)', 'bodyOf(raw)'],
  ],
  'src/services/data-lifecycle/retention/apply.ts': [
    ['if (having !== undefined) query.andWhere(having);', ''],
  ],
  'src/services/data-lifecycle/erasure/contacts.ts': [
    ["state: In(['queued', 'waiting']) }", 'state: In([]) }'],
    [
      "await updateRows(tx, suppressions, { where: { ...ofPhones, reason: Not('') }, change: { reason: '' } })",
      '0',
    ],
  ],
  'src/services/data-lifecycle/retention/remove-stray-files.ts': [
    ['=> !kept.has(key)', '=> !kept.has(key) || true'],
  ],
  'src/services/data-lifecycle/retention/forget-dials.ts': [
    ['({ dialedAt }) => dialedAt < before', '() => false'],
  ],
  'src/services/contacts/suppressions/remove.ts': [['withoutNumbers(input.reason)', 'input.reason']],
  'src/services/agents/agent-tools/list.ts': [
    [
      'if (input.category !== undefined && !categories.some((each) => each === input.category)) return []; // the column takes ASCII alone',
      '',
    ],
  ],
  'src/contract/answers.ts': [
    [
      "const stillRunningAmongOthers: RouteAnswer = { ...stillRunning, headers: { 'Retry-After': retryAfter.optional().meta({ description: 'Whole seconds; for a request that is still running.' }) } };",
      'const stillRunningAmongOthers: RouteAnswer = stillRunning;',
    ],
  ],
  'src/api/http-server.ts': [["server.on('clientError',", "server.on('never',"]],
  'src/api/body/parse-json.ts': [["if (level >= maxLevels) return 'too_deep';", '']],
  'src/services/telephony/accounts/mapper.ts': [['masked[name] ?? null', 'credentials[name] ?? null']],
  'src/domain/telephony/credentials.ts': [
    [
      "if (typeof known === 'string' && value === maskSecret(known)) credentials[name] = known;\n    else if",
      'if',
    ],
  ],
  'src/services/telephony/accounts/create.ts': [['await lockDefault(tx, ctx);', '']],
  'src/domain/telephony/readiness.ts': [
    ["blocks: 'the public key for the carrier\\'s events is missing'", 'blocks: null'],
  ],
  'src/services/telephony/accounts/delete.ts': [['await requireNoCalls(tx, ctx, row.id);', '']],
  'src/services/telephony/numbers/create.ts': [['await requireOwned(', 'void Array.of(']],
  'src/services/telephony/numbers/provider-sync.ts': [
    ['if (number.inboundAgentId === null) return', 'if (false) return'],
  ],
  'src/services/agents/recorded-lines/delete.ts': [['await requireUnused(tx, ctx, found);', '']],
  'src/domain/usage/days.ts': [
    ['from: beginning(each.format(form), zone)', "from: beginning(each.format(form), 'UTC')"],
  ],
  'src/services/calls/usage/totals.ts': [["usd: 'SUM(call.costUsd)'", "usd: 'SUM(call.costUsd + 0E0)'"]],
  'src/services/calls/start/begin.ts': [
    [
      "return await once(tx, ctx, { kind: 'call', make, again });\n  });\n  await start(ctx, { carriers }, begun.call);",
      "const made = await once(tx, ctx, { kind: 'call', make, again });\n    await start(ctx, { carriers }, made.call);\n    return made;\n  });",
    ],
  ],
  'src/db/migrations/0.1.0-initial/calls.ts': [
    ['INDEX ix_calls_usage (organization_id, created_at, id, started_at, ended_at, cost_usd),', ''],
  ],
  'src/contract/examples.ts': [['expected_revision: 4', 'expected_revision: 3']],
  'src/contract/openapi.ts': [['components: { securitySchemes },', '']],
  'src/api/reference/initialize.js': [["addEventListener('hashchange', follow);", '']],
  'src/api/reference/page.ts': [["default-src 'none'; script-src 'self'", "script-src 'self'"]],
};
