import { InvariantError } from '../errors.ts';

/**
 * Where a file lies: words with slashes between them, the second of which says whose it is (contract 11.1).
 */
const form = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/;
const maxKeyLength = 255;

/** Files that organizations upload, by what they are for. */
export type UploadPurpose = 'campaigns' | 'ambient_noise' | 'line_recordings';

const maxNameLength = 100;

/** `campaigns/7/<uuid>_contacts.csv`: nobody can guess it, and it tells whose it is. */
export function uploadKey({
  purpose,
  organizationId,
  uuid,
  fileName,
}: {
  purpose: UploadPurpose;
  organizationId: number;
  uuid: string;
  fileName: string;
}): string {
  return `${purpose}/${organizationId}/${uuid}_${cleaned(fileName)}`;
}

/** True for what can be a key at all: no way out of a folder, no hidden file. */
export function isFileKey(key: string): boolean {
  return key.length <= maxKeyLength && form.test(key);
}

/** The key itself. Throws InvariantError for what can be none: where files lie nobody is led elsewhere. */
export function requireFileKey(key: string): string {
  if (!isFileKey(key)) throw new InvariantError('A file was asked for by what is no key');
  return key;
}

/**
 * The first words of keys, without a slash behind them. Throws InvariantError for what no key begins with.
 */
export function requireFileFolder(folder: string): string {
  requireFileKey(`${folder}/x`);
  return folder;
}

/** The last part of a key. */
export function fileNameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

/** Whose file it is; null for what is none of an organization's. */
export function organizationOfKey(key: string): number | null {
  const [, organization] = /^(?:campaigns|ambient_noise|line_recordings)\/(\d{1,15})\/[^/]+$/.exec(key) ?? [];
  return organization === undefined || !isFileKey(key) ? null : Number(organization);
}

/** True for the key of a recorded line that the organization uploaded. */
export function isLineKeyOf(organizationId: number, key: string): boolean {
  return key.startsWith('line_recordings/') && organizationOfKey(key) === organizationId;
}

/** The call whose transcript a key names (contract 6.7); null for any other key. */
export function transcriptCallOf(key: string): number | null {
  const [, call] = /^transcripts\/(\d{1,15})\.txt$/.exec(key) ?? [];
  return call === undefined ? null : Number(call);
}

/** What of a call's recording a file holds (contract 6.7). */
export type RecordingTrack = 'mix' | 'user' | 'bot';

/** Where a recording lies when it is complete. */
export function recordingKey(callId: number, track: RecordingTrack): string {
  return track === 'mix' ? `recordings/${callId}.wav` : `recordings/${callId}/${track}.wav`;
}

/** Below it lie a call's single tracks and pieces, but not the mix. */
export function recordingFolder(callId: number): string {
  return `recordings/${callId}`;
}

/** Where one host's piece of it grows. */
export function recordingPieceKey(callId: number, generation: number): string {
  return `recordings/${callId}/${generation}.pcm`;
}

/** The call whose recording a key names; null for any other key, pieces included. */
export function recordingCallOf(key: string): number | null {
  const [, call] = /^recordings\/(\d{1,15})(?:\.wav|\/(?:user|bot)\.wav)$/.exec(key) ?? [];
  return call === undefined ? null : Number(call);
}

/** Letters, digits, `.`, `_` and `-`; of a long name the end, which has the extension. */
function cleaned(fileName: string): string {
  return fileName.replaceAll(/[^A-Za-z0-9._-]/gu, '_').slice(-maxNameLength);
}
