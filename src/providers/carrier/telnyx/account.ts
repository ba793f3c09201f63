import { z } from 'zod';
import { CarrierError } from '../../../domain/telephony/carrier-error.ts';
import { unreadableAnswer } from './failures.ts';
import type { CarrierApplication, CarrierPort } from '../port.ts';
import type { Send } from './send.ts';

type AccountPart = Pick<
  CarrierPort,
  'checkCredentials' | 'findNumber' | 'findApplication' | 'createApplication' | 'updateApplication'
>;

const Numbers = z.object({
  data: z.array(z.object({ phone_number: z.string(), connection_id: z.string().nullish() })),
});
const Profiles = z.object({ data: z.array(z.object({ id: z.string(), enabled: z.boolean().nullish() })) });

/**
 * The objects of an account that calls need (contract 12.4): the number, and the application that defines
 * where events go.
 */
export function telnyxAccount(send: Send): AccountPart {
  return {
    checkCredentials: async () => {
      try {
        await send((client, options) => client.callControlApplications.list({ 'page[size]': 1 }, options));
        return true;
      } catch (error) {
        if (error instanceof CarrierError && error.outcome === 'setup') return false;
        throw error;
      }
    },
    findNumber: async (e164) => {
      const page = Numbers.safeParse(
        await send(async (client, options) => ({
          data: (await client.phoneNumbers.list({ filter: { phone_number: e164.replace('+', '') } }, options))
            .data,
        })),
      );
      if (!page.success) throw unreadableAnswer();
      // The filter accepts only digits and finds every number that contains them.
      const found = page.data.data.find(({ phone_number: number }) => number === e164);
      return found === undefined
        ? null
        : { e164, connectionId: found.connection_id === '' ? null : (found.connection_id ?? null) };
    },
    findApplication: async (connectionId) => {
      try {
        return readApplication(
          await send((client, options) => client.callControlApplications.retrieve(connectionId, options)),
        );
      } catch (error) {
        if (error instanceof CarrierError && error.httpStatus === 404) return null;
        throw error;
      }
    },
    createApplication: async ({ name, webhookUrl }) => {
      // Without an outbound profile every dial of the new application would end in D38.
      const profile = await firstOutboundProfile(send);
      const body = {
        application_name: name,
        webhook_event_url: webhookUrl,
        webhook_api_version: '2' as const,
        ...(profile === null ? {} : { outbound: { outbound_voice_profile_id: profile } }),
      };
      return readApplication(
        await send((client, options) => client.callControlApplications.create(body, options)),
      );
    },
    updateApplication: async ({ connectionId, name, webhookUrl }) =>
      readApplication(
        await send((client, options) =>
          client.callControlApplications.update(
            connectionId,
            { application_name: name, webhook_event_url: webhookUrl },
            options,
          ),
        ),
      ),
  };
}

/**
 * The first enabled outbound profile; null if there is none. Profiles limit costs, so this never creates one.
 */
async function firstOutboundProfile(send: Send): Promise<string | null> {
  const page = Profiles.safeParse(
    await send(async (client, options) => ({
      data: (await client.outboundVoiceProfiles.list({ 'page[size]': 50, sort: 'created_at' }, options)).data,
    })),
  );
  if (!page.success) throw unreadableAnswer();
  return page.data.data.find(({ enabled }) => enabled !== false)?.id ?? null;
}

const ApplicationAnswer = z.object({
  data: z.object({
    id: z.coerce.string().min(1),
    application_name: z.string(),
    webhook_event_url: z.string().nullish(),
    active: z.boolean().nullish(),
    outbound: z.object({ outbound_voice_profile_id: z.coerce.string().nullish() }).nullish(),
  }),
});

function readApplication(answer: unknown): CarrierApplication {
  const parsed = ApplicationAnswer.safeParse(answer);
  if (!parsed.success) throw unreadableAnswer();
  const { id, application_name: name, webhook_event_url: webhookUrl, active, outbound } = parsed.data.data;
  const profile = outbound?.outbound_voice_profile_id ?? '';
  return {
    connectionId: id,
    name,
    webhookUrl: webhookUrl ?? '',
    isActive: active !== false,
    hasOutboundProfile: profile !== '' && profile !== 'null',
  };
}
