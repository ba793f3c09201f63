import {
  isObject,
  nodesOf,
  edgesOf,
  own,
  ownObject,
  type Definition,
  type JsonObject,
} from './definition.ts';

/** True when a graph plays the recording: as a greeting or while following an edge (contract 2.3, 2.4). */
export function playsRecording(definition: Definition, recordingId: string): boolean {
  const plays = (part: unknown, field: string) =>
    isObject(part) && own(ownObject(part, 'data'), field) === recordingId;
  return (
    nodesOf(definition).some((node) => plays(node, 'greeting_recording_id')) ||
    edgesOf(definition).some((edge) => plays(edge, 'transition_speech_recording_id'))
  );
}

/**
 * True when a tool plays the recording (contract 12.7, 15.1): before it ends or transfers a call, or while it
 * waits.
 */
export function toolPlaysRecording(definition: JsonObject, recordingId: string): boolean {
  const config = ownObject(definition, 'config');
  return (
    own(config, 'audioRecordingId') === recordingId || own(config, 'customMessageRecordingId') === recordingId
  );
}
