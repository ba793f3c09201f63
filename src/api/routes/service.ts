import type { Installation } from '../../config/installation.ts';
import { createOpenApiDocument } from '../../contract/openapi.ts';
import { readReadiness, type HealthCheck } from '../../runtime/health-server.ts';
import type { Handlers } from '../bind.ts';
import { jsonReply } from '../answers/reply.ts';

export interface ServiceRouteDeps {
  version: string;
  /** Base URL under which customers reach this installation. */
  publicUrl: string;
  /** The checks of `/readyz`, by dependency. */
  checks: Record<string, HealthCheck>;
  isSignupEnabled: boolean;
  installation: Installation;
}

let made: ReturnType<typeof createOpenApiDocument> | undefined;

/** Made for the first request that asks: it takes a tenth of a second, which a start does not have to wait for. */
const description = () => (made ??= createOpenApiDocument());

/** Information about the installation (contract 0.2, 13.4). */
export function serviceHandlers<Caller>({
  version,
  publicUrl,
  checks,
  isSignupEnabled,
  installation: { simulated, links },
}: ServiceRouteDeps): Pick<
  Handlers<Caller>,
  'getHealth' | 'getDescription' | 'getLiveness' | 'getReadiness'
> {
  const health = {
    status: 'ok',
    version,
    backend_api_endpoint: publicUrl,
    tunnel_url: null,
    deployment_mode: 'self_hosted',
    auth_provider: 'local',
    turn_enabled: false,
    force_turn_relay: false,
    signup_enabled: isSignupEnabled,
    stack_project_id: null,
    stack_publishable_client_key: null,
    simulated,
    links: { temporal_ui: links.temporalUi, traces: links.traces },
  } as const;
  return {
    getHealth: () => Promise.resolve(health),
    getDescription: () => Promise.resolve({ ...description(), servers: [{ url: publicUrl }] }),
    getLiveness: () => Promise.resolve({ alive: true }),
    getReadiness: async () => {
      const readiness = await readReadiness(checks);
      return jsonReply(readiness.ready ? 200 : 503, readiness);
    },
  };
}
