import type { z } from 'zod';
import type { CreatePhoneNumberRequest, UpdatePhoneNumberRequest } from '../../contract/phone-numbers.ts';
import {
  countWarnings,
  createConnection,
  deleteConnection,
  getConnection,
  listConnections,
  listTrunks,
  providersMetadata,
  reactivateConnection,
  setDefaultConnection,
  updateConnection,
  type ConnectionDeps,
  createPhoneNumber,
  deletePhoneNumber,
  getPhoneNumber,
  listPhoneNumbers,
  setDefaultCaller,
  updatePhoneNumber,
} from '../../services/telephony/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import type { Handlers } from '../bind.ts';

/** Dependencies of these routes besides the caller's context. */
export type ConnectionRouteDeps = ConnectionDeps;

type ConnectionRoute =
  | 'listTelephonyProviders'
  | 'getTelephonyWarnings'
  | 'listTelephonyConfigurations'
  | 'createTelephonyConfiguration'
  | 'getTelephonyConfiguration'
  | 'updateTelephonyConfiguration'
  | 'deleteTelephonyConfiguration'
  | 'setDefaultOutbound'
  | 'reactivateTelephonyConfiguration'
  | 'listTrunks';

/** Connections to carriers (contract 12.1). */
export function connectionHandlers(
  deps: ConnectionRouteDeps,
): Pick<Handlers<ServiceContext>, ConnectionRoute> {
  return {
    listTelephonyProviders: () => Promise.resolve(providersMetadata),
    getTelephonyWarnings: ({ ctx }) => countWarnings({ ctx }),
    listTelephonyConfigurations: ({ ctx }) => listConnections({ ctx, deps }),
    createTelephonyConfiguration: ({ ctx, input: { body } }) =>
      createConnection({
        ctx,
        deps,
        input: { name: body.name, isDefaultOutbound: body.is_default_outbound, config: body.config },
      }),
    getTelephonyConfiguration: ({ ctx, input: { params } }) =>
      getConnection({ ctx, deps, input: { id: params.telephony_configuration_id } }),
    updateTelephonyConfiguration: ({ ctx, input: { params, body } }) =>
      updateConnection({
        ctx,
        deps,
        input: {
          id: params.telephony_configuration_id,
          name: body.name ?? undefined,
          config: body.config ?? undefined,
        },
      }),
    deleteTelephonyConfiguration: ({ ctx, input: { params } }) =>
      deleteConnection({ ctx, input: { id: params.telephony_configuration_id } }),
    setDefaultOutbound: ({ ctx, input: { params } }) =>
      setDefaultConnection({ ctx, deps, input: { id: params.telephony_configuration_id } }),
    reactivateTelephonyConfiguration: ({ ctx, input: { params } }) =>
      reactivateConnection({ ctx, deps, input: { id: params.telephony_configuration_id } }),
    listTrunks: ({ ctx, input: { params } }) =>
      listTrunks({ ctx, input: { id: params.telephony_configuration_id } }),
  };
}

type NumberRoute =
  | 'listPhoneNumbers'
  | 'createPhoneNumber'
  | 'getPhoneNumber'
  | 'updatePhoneNumber'
  | 'deletePhoneNumber'
  | 'setDefaultCaller';

/** Phone numbers of connections (contract 12.2). */
export function phoneNumberHandlers(deps: ConnectionRouteDeps): Pick<Handlers<ServiceContext>, NumberRoute> {
  return {
    listPhoneNumbers: ({ ctx, input: { params } }) =>
      listPhoneNumbers({ ctx, input: { configurationId: params.telephony_configuration_id } }),
    createPhoneNumber: ({ ctx, input: { params, body } }) =>
      createPhoneNumber({
        ctx,
        deps,
        input: { configurationId: params.telephony_configuration_id, ...newNumber(body) },
      }),
    getPhoneNumber: ({ ctx, input: { params } }) => getPhoneNumber({ ctx, input: named(params) }),
    updatePhoneNumber: ({ ctx, input: { params, body } }) =>
      updatePhoneNumber({ ctx, deps, input: { ...named(params), ...changedNumber(body) } }),
    deletePhoneNumber: ({ ctx, input: { params } }) => deletePhoneNumber({ ctx, input: named(params) }),
    setDefaultCaller: ({ ctx, input: { params } }) => setDefaultCaller({ ctx, input: named(params) }),
  };
}

const named = (params: { telephony_configuration_id: number; phone_number_id: number }) => ({
  configurationId: params.telephony_configuration_id,
  id: params.phone_number_id,
});

function newNumber(body: z.output<typeof CreatePhoneNumberRequest>) {
  return {
    address: body.address,
    countryCode: body.country_code ?? null,
    label: body.label ?? null,
    inboundAgentId: body.inbound_workflow_id ?? null,
    isActive: body.is_active,
    isDefaultCallerId: body.is_default_caller_id,
    trunkId: body.telephony_trunk_id ?? null,
    extraMetadata: body.extra_metadata ?? {},
    body,
  };
}

function changedNumber(body: z.output<typeof UpdatePhoneNumberRequest>) {
  return {
    label: body.label ?? undefined,
    inboundAgentId: body.clear_inbound_workflow ? null : (body.inbound_workflow_id ?? undefined),
    isActive: body.is_active ?? undefined,
    countryCode: body.country_code ?? undefined,
    extraMetadata: body.extra_metadata ?? undefined,
    trunkId: body.telephony_trunk_id ?? null,
  };
}
