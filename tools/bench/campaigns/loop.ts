import { In } from 'typeorm';
import { agents } from '../../../src/db/tables/agents.ts';
import { agentVersions } from '../../../src/db/tables/agent-versions.ts';
import { calls, type CallRow } from '../../../src/db/tables/calls.ts';
import { organizations } from '../../../src/db/tables/organizations.ts';
import { phoneNumbers } from '../../../src/db/tables/phone-numbers.ts';
import { insertRow } from '../../../src/db/rows.ts';
import { readAgentSettings } from '../../../src/domain/agents/settings.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { randomIds } from '../../../src/runtime/ids.ts';
import { callInputFor } from '../../../src/services/calls/start/call-input.ts';
import { freshCall } from '../../../src/services/calls/start/fresh-call.ts';
import { phoneChannel } from '../../../src/services/calls/start/phone-channel.ts';
import { createCallStarter } from '../../../src/temporal/call-starter.ts';
import { concurrently, pause } from '../concurrency.ts';
import type { PhoneAgent } from '../phone/agent.ts';
import { numberOf } from '../phone/people.ts';
import type { MeasuredPhone } from '../phone/service.ts';
import { lines } from './campaigns.ts';

/** How often the loop checks which of its calls have ended. */
const lookMs = 100;

/**
 * The simplest campaign: it calls the first hundred people at once, and the next one whenever a call has
 * ended. A call is one row and one start of `callWorkflow`; nothing is planned, claimed, limited, checked or
 * settled, and a crash loses who was called.
 */
export async function callInLoop(
  { service: { db, temporal } }: MeasuredPhone,
  agent: PhoneAgent,
  count: number,
): Promise<void> {
  const row = await db.getRepository(agents).findOneByOrFail({ id: agent.id });
  const { organizationId } = row;
  const version = await db.getRepository(agentVersions).findOneByOrFail({ id: row.publishedVersionId ?? 0 });
  const organization = await db.getRepository(organizations).findOneByOrFail({ id: organizationId });
  const numbers = await db.getRepository(phoneNumbers).findBy({ organizationId, isActive: true });
  const starter = createCallStarter({ temporal });
  const live = new Map<number, () => void>();
  const watch = { isOver: false };
  const watching = (async () => {
    while (!watch.isOver) {
      const ended =
        live.size === 0
          ? []
          : await db.getRepository(calls).find({
              select: { id: true },
              where: { id: In([...live.keys()]), state: In(['ended', 'refused']) },
            });
      for (const { id } of ended) {
        live.get(id)?.();
        live.delete(id);
      }
      await pause(lookMs);
    }
  })();
  await concurrently({ count, width: lines }, async (index) => {
    const number = numbers[index % numbers.length];
    if (number === undefined) throw new Error('The connection has no number');
    const initialContext = {
      called_number: `+${numberOf(index)}`,
      telephony_configuration_id: number.configurationId,
      first_name: 'Maria',
    };
    const beginning = {
      name: `Loop ${index}`,
      mode: 'telnyx',
      channel: 'phone' as const,
      direction: 'outbound' as const,
      source: 'api_prod' as const,
      state: 'pending' as const,
      isTest: false,
      configurationId: number.configurationId,
      phoneNumberId: number.id,
      callerNumber: null,
      calledNumber: initialContext.called_number,
      initialContext,
      annotations: {},
    };
    const call: CallRow = await insertRow(
      db.manager,
      calls,
      freshCall({ clock: systemClock, ids: randomIds, organizationId }, { agent: row, version }, beginning),
    );
    const ended = new Promise<void>((resolve) => void live.set(call.id, resolve));
    await starter.startCall(
      callInputFor({
        organization,
        agent: row,
        version,
        call,
        channel: phoneChannel(readAgentSettings(version.settings), {
          provider: call.mode,
          direction: 'outbound',
          configurationId: number.configurationId,
          phoneNumberId: number.id,
        }),
      }),
    );
    await ended;
  });
  watch.isOver = true;
  await watching;
}
