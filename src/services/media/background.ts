import type { DataSource } from 'typeorm';
import { findRow } from '../../db/rows.ts';
import { agentVersions } from '../../db/tables/agent-versions.ts';
import { calls } from '../../db/tables/calls.ts';
import { readAgentSettings, type AgentSettings } from '../../domain/agents/settings.ts';
import { organizationOfKey } from '../../domain/files/key.ts';

/** What is heard behind an agent (contract 3.2). `storageKey` null = the built-in sound. */
export interface BackgroundChoice {
  volume: number;
  storageKey: string | null;
}

/** The background of a call, by the settings of its pinned version; null = none. */
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

/** A file of another organization is none. */
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
