import type { DataSource } from 'typeorm';
import { defaultSettings } from '../../contract/settings.ts';
import { findRow } from '../../db/rows.ts';
import { agentVersions } from '../../db/tables/agent-versions.ts';
import { calls } from '../../db/tables/calls.ts';
import { organizationOfKey } from '../../domain/files/key.ts';
import { own, ownObject, ownText, type JsonObject } from '../../domain/graph/definition.ts';
import { readNumber } from '../../domain/graph/fields.ts';

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
  return version === null
    ? null
    : choiceIn(ownObject(version.settings, 'ambient_noise_configuration'), organizationId);
}

/** A file of another organization is none. */
function choiceIn(chosen: JsonObject, organizationId: number): BackgroundChoice | null {
  if (own(chosen, 'enabled') !== true) return null;
  const key = ownText(chosen, 'storage_key') ?? null;
  const volume = readNumber(own(chosen, 'volume')) ?? defaultSettings.ambient_noise_configuration.volume;
  return {
    volume: Math.min(Math.max(volume, 0), 1),
    storageKey: key !== null && organizationOfKey(key) === organizationId ? key : null,
  };
}
