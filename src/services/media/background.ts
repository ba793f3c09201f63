import type { DataSource } from 'typeorm';
import { findRow } from '../../db/rows.ts';
import { agentVersions } from '../../db/tables/agent-versions.ts';
import { calls } from '../../db/tables/calls.ts';
import { readAgentSettings, type AgentSettings } from '../../domain/agents/settings.ts';
import { organizationOfKey } from '../../domain/files/key.ts';

/** The background sound of an agent (contract 3.2). A null `storageKey` means the built-in sound. */
export interface BackgroundChoice {
  volume: number;
  storageKey: string | null;
}

/** The background sound of a call, by the settings of its pinned version; null if it has none. */
export async function readBackground({
  db,
  callId,
  organizationId,
}: {
  db: DataSource;
  callId: number;
  organizationId: number;
}): Promise<BackgroundChoice | null> {
  const call = await findRow(db.manager, calls, { id: callId, organizationId });
  const version =
    call === null ? null : await findRow(db.manager, agentVersions, { id: call.versionId, organizationId });
  return version === null ? null : choiceIn(readAgentSettings(version.settings), organizationId);
}

/** Ignores a file of another organization. */
function choiceIn(
  { ambientNoise: { isEnabled, volume, storageKey: key } }: AgentSettings,
  organizationId: number,
): BackgroundChoice | null {
  if (!isEnabled) return null;
  return {
    volume,
    storageKey: key !== null && organizationOfKey(key) === organizationId ? key : null,
  };
}
