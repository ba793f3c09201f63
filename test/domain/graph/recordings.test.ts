import { describe, expect, test } from '@jest/globals';
import { playsRecording, toolPlaysRecording } from '../../../src/domain/graph/recordings.ts';

describe('a recording is played by', () => {
  test.each<[string, object, boolean]>([
    ['a greeting', { nodes: [{ data: { greeting_recording_id: 'hello' } }], edges: [] }, true],
    ['a transition', { nodes: [], edges: [{ data: { transition_speech_recording_id: 'hello' } }] }, true],
    [
      'a longer name',
      { nodes: [{ data: { greeting_recording_id: 'hello-2' } }], edges: [{ data: {} }] },
      false,
    ],
    ['a prompt with the name', { nodes: [{ data: { prompt: 'hello' } }], edges: [] }, false],
    ['an invalid graph', { nodes: 'hello', edges: [null] }, false],
  ])('%s', (_title, graph, plays) => {
    expect(playsRecording({ ...graph }, 'hello')).toBe(plays);
  });

  test.each<[object, boolean]>([
    [{ config: { audioRecordingId: 'hello' } }, true],
    [{ config: { customMessageRecordingId: 'hello' } }, true],
    [{ config: { customMessage: 'hello' } }, false],
    [{ type: 'calculator' }, false],
  ])('the tool %j: %s', (definition, plays) => {
    expect(toolPlaysRecording({ ...definition }, 'hello')).toBe(plays);
  });
});
