import type { DataSource } from 'typeorm';
import { defaultSettings } from '../../contract/settings.ts';
import { findRow } from '../../db/rows.ts';
import { agentVersions } from '../../db/tables/agent-versions.ts';
import { calls } from '../../db/tables/calls.ts';
import { organizationOfKey } from '../../domain/files/key.ts';
import { own, ownObject, ownText, type JsonObject } from '../../domain/graph/definition.ts';
import { readNumber } from '../../domain/graph/fields.ts';

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
  return version === null
    ? null
    : choiceIn(ownObject(version.settings, 'ambient_noise_configuration'), organizationId);
}

/** Ignores a file of another organization. */
function choiceIn(chosen: JsonObject, organizationId: number): BackgroundChoice | null {
  if (own(chosen, 'enabled') !== true) return null;
  const key = ownText(chosen, 'storage_key') ?? null;
  const volume = readNumber(own(chosen, 'volume')) ?? defaultSettings.ambient_noise_configuration.volume;
  return {
    volume: Math.min(Math.max(volume, 0), 1),
    storageKey: key !== null && organizationOfKey(key) === organizationId ? key : null,
  };
}
