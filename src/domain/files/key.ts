import { InvariantError } from '../errors.ts';

/** The form of a file key: words with slashes between them (contract 11.1). */
const form = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/;
const maxKeyLength = 255;

/** The purposes of files that organizations upload. */
export type UploadPurpose = 'campaigns' | 'ambient_noise' | 'line_recordings';

const maxNameLength = 100;

/** A key such as `campaigns/7/<uuid>_contacts.csv`: it cannot be guessed, and it names the organization. */
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

/** True for a valid key: it cannot leave its folder or name a hidden file. */
export function isFileKey(key: string): boolean {
  return key.length <= maxKeyLength && form.test(key);
}

/** Returns the key. Throws InvariantError for an invalid one, so that no key leads outside the storage. */
export function requireFileKey(key: string): string {
  if (!isFileKey(key)) throw new InvariantError('The key of a file is invalid');
  return key;
}

/** Returns the first words of keys, without a final slash. Throws InvariantError if no key can begin so. */
export function requireFileFolder(folder: string): string {
  requireFileKey(`${folder}/x`);
  return folder;
}

/** The last part of a key. */
export function fileNameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

/** The organization that uploaded the file; null for any other key. */
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

/** The track of a call's recording in a file (contract 6.7). */
export type RecordingTrack = 'mix' | 'user' | 'bot';

/** The key of a complete recording. */
export function recordingKey(callId: number, track: RecordingTrack): string {
  return track === 'mix' ? `recordings/${callId}.wav` : `recordings/${callId}/${track}.wav`;
}

/** The folder of a call's single tracks and pieces, without the mix. */
export function recordingFolder(callId: number): string {
  return `recordings/${callId}`;
}

/** The key of the piece that one host writes. */
export function recordingPieceKey(callId: number, generation: number): string {
  return `recordings/${callId}/${generation}.pcm`;
}

/** The call whose recording a key names; null for any other key, pieces included. */
export function recordingCallOf(key: string): number | null {
  const [, call] = /^recordings\/(\d{1,15})(?:\.wav|\/(?:user|bot)\.wav)$/.exec(key) ?? [];
  return call === undefined ? null : Number(call);
}

/** Keeps letters, digits, `.`, `_` and `-`, and only the end of a long name, which has the extension. */
function cleaned(fileName: string): string {
  return fileName.replaceAll(/[^A-Za-z0-9._-]/gu, '_').slice(-maxNameLength);
}
