import type { Removals } from '../removals.ts';

/** Calls by phone and in a browser, their media hosts, and what people on the line hear. */
export const phoneCalls: Removals = {
  'src/providers/carrier/telnyx/calls.ts': [
    [
      "['call.answered', 'call.hangup'].map((eventType) => [eventType, { retries_ms: [1_000, 3_000, 8_000, 13_000, 25_000] }])",
      '[]',
    ],
  ],
  'src/services/telephony/legs/legs.ts': [
    [', dialedAt: IsNull()', ''],
    ["if (claimed === 1 && role === 'main')", 'if (false)'],
  ],
  'src/services/telephony/legs/dial-call.ts': [
    ['if (campaignId !== null && !isUnheard)', 'if (false)'],
    ['input.isUnheard === true && isRepeatable(row, deps.clock)', 'false'],
    [' && clock.now().getTime() - dialedAt.getTime() < repeatableMs', ''],
    [
      "if (deps.clock.now().getTime() - begunMs > timeoutsMs.carrierCommandStartToClose) return { kind: 'unknown' };",
      '',
    ],
    ['call.campaignId === null ? null : await lastCheck(deps, call)', 'null'],
  ],
  'src/workflows/call/voice/speak.ts': [
    ["else if (judged.hasBegun) say = { kind: 'resume' };", ''],
    ["say = { kind: 'resume', inOrder: true };", ''],
  ],
  'src/workflows/call/voice/attempt.ts': [
    ['isKnown() || asking.isOver', 'isKnown()'],
    ['pollLine(spoken).then(() => (asking.isOver = true), () => undefined);', ''],
  ],
  'src/services/media/find-lost-hosts.ts': [
    ['timeoutsMs.mediaLeaseAlone - timeoutsMs.mediaLease', '0'],
    ['lease_expires_at < UTC_TIMESTAMP(6)', 'FALSE AND lease_expires_at < UTC_TIMESTAMP(6)'],
  ],
  'src/workflows/call/voice/connect.ts': [
    ['if (hasNoStream && ', 'if (false && '],
    [
      'if (!isDecided() && spoken.seats.isLost && !(await spoken.seats.claim(',
      'if (false && !(await spoken.seats.claim(',
    ],
    ['if (leftMs <= 0) return await giveUpRinging(spoken);', ''],
  ],
  'src/workflows/call/voice/seats.ts': [['Math.min(generation, this.#generation)', 'this.#generation']],
  'src/workflows/call/voice/talk.ts': [['await apologize(spoken);', '']],
  'src/domain/telephony/hangup-causes.ts': [
    ['wasAnswered ? row.answered : row.unanswered', 'row.unanswered'],
  ],
  'src/workflows/call/voice/transfer.ts': [
    ["spoken.isDown || spoken.transfer?.leg.phase === 'ended');", 'spoken.isDown);'],
  ],
  'src/services/models/opening-llm.ts': [
    ['brought === null ? by :', 'brought === null || by !== undefined ? by :'],
  ],
  'src/media/speaking/conversation.ts': [
    ['this.screen.toolsBegin(toolCalls);', ''],
    ['return this.#run?.goOn();', 'return;'],
    ['this.leg.playout.resume(); // a reply that was held back', '// a reply that was held back'],
  ],
  'src/services/media/note-media.ts': [
    [
      "await updateRows(db.manager, calls, { where: { id: callId, organizationId, state: 'admitted' }, change: { state: 'talking' } });",
      '',
    ],
  ],
  'src/workflows/reconcile/workflow.ts': [
    ["for (const call of calls) progress[await tried('joined', () => join(call))] += 1;", ''],
  ],
  'src/domain/turn-taking/settings.ts': [
    ['const maxDurationSecs = 1200;', 'const maxDurationSecs = 1_000_000;'],
  ],
  'src/services/calls/finish/close-line.ts': [[': { hangUpFrom: at }', ': {}']],
  'src/services/telephony/events/deliver.ts': [
    [
      "await deps.calls.signalCarrierEvent(call.uuid, { eventId, occurredAt, leg: ids, role: leg?.role ?? 'main', what });",
      "'told' as const;",
    ],
  ],
  'src/services/telephony/events/believe.ts': [
    ['if (flaw !== null) return refused(deps, flaw, configurationId);', ''],
  ],
  'src/media/speaking/mouth.ts': [
    ['return heardText({ text, heardMs,', 'return text; void ({ text, heardMs,'],
  ],
  'src/domain/speech/resume-plan.ts': [['own.filter(({ playedAt }) => playedAt === null)', 'own']],
  'src/media/speaking/step-words.ts': [
    ['if (plan.utterance === null) return {', 'if (plan.utterance !== undefined) return {'],
  ],
  'src/services/calls/turns/journal.ts': [['AND generation = ?', 'AND ? IS NOT NULL']],
  'src/media/speaking/journal-writer.ts': [['if (!waiting.has(key)) waiting.set(key, each);', ';']],
  'src/media/speaking/prime-clips.ts': [['await first.clips.prime(', 'void Array.of<unknown>(']],
  'src/media/speaking/speculation.ts': [['keyOf(open.predicted) === keyOf({ step, pendingLines })', 'true']],
  'src/media/speaking/speech.ts': [
    ['ahead.says(voice, clause)', 'false'],
    ['if (!this.#change()) return', 'return'],
  ],
  'src/media/speaking/reply-ahead.ts': [['all.voice?.abort();', '']],
  'src/media/speaking/open-voice.ts': [['() => (this.#isLost = true),', '() => undefined,']],
  'src/media/speaking/reply-maker.ts': [['if (isWorthAnother(first.error)) {', 'if (false) {']],
  'src/services/media/open-stream.ts': [['tokenUsedAt: IsNull(), ', '']],
  'src/services/media/claim-seat.ts': [
    [
      "if (known !== null && known.generation > generation) throw new PreconditionError('The call has a newer place');",
      '',
    ],
  ],
  'src/services/media/lease.ts': [
    [' WHERE id = ? AND lost_at IS NULL`, [isDraining', ' WHERE id = ?`, [isDraining'],
  ],
  'src/services/media/find-overtaken.ts': [["return [{ ...seat, kind: 'overtaken' }]", 'return []']],
  'src/media/speaking/leaving.ts': [['Math.max(0, this.#quietSinceMs + quietMs - this.#nowMs())', '0']],
  'src/media/playout/playout.ts': [['sentPosition = heardPosition;', '']],
  'src/media/legs/heard-stream.ts': [
    ['Math.max(lost * lengthMs, pauseBefore(timestampMs))', 'pauseBefore(timestampMs)'],
  ],
  'src/media/server/socket.ts': [['if (ws.bufferedAmount > maxBufferedBytes) ws.terminate();', '']],
  'src/media/sessions.ts': [['if (entries.get(entry.callId) === entry) entries.delete(entry.callId);', '']],
  'src/domain/audio/recording-plan.ts': [
    ['if (last !== undefined) last.samples = Math.min(last.samples, Math.max(0, from - last.from));', ''],
  ],
};
