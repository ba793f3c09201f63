import { readAgentSettings } from '../../../src/domain/agents/settings.ts';
import { readTurnSettings, type TurnCircumstances } from '../../../src/domain/turn-taking/settings.ts';
import { advance, begin, nextDeadlineMs } from '../../../src/domain/turn-taking/machine.ts';
import { textOf, type TurnState } from '../../../src/domain/turn-taking/state.ts';
import type { TurnCommand, TurnEvent, TurnSettings } from '../../../src/domain/turn-taking/types.ts';

/**
 * Plays a scripted conversation. A line is a time in milliseconds and an event. The commands of the machine
 * are returned in the same form. The `time` events are added automatically.
 *
 *   began | listen | tool | tool over | voice | quiet | ended (the recognizer's utterance) | gone (hung up) | wait
 *   reply [first] [firm] [last] firm: no interruption allowed; last: no one listens after it
 *   sound | drained | complete of the reply
 *   hear TEXT (interim) | final[#SEGMENT][!] TEXT (! = speech final)
 *   analyzed yes|no | opening person|machine | key DIGIT
 */
export function play(settings: TurnSettings, script: string): string[] {
  return playOn({ settings, state: begin(settings, 0), commands: [] }, script).commands;
}

export interface Playing {
  settings: TurnSettings;
  state: TurnState;
  commands: string[];
}

export function playOn({ settings, state, commands }: Playing, script: string): Playing {
  let now = state;
  const all = [...commands];
  const handle = (atMs: number, event: TurnEvent) => {
    const result = advance(settings, now, atMs, event);
    now = result.state;
    all.push(...result.commands.map((command) => `${atMs} ${shown(command)}`));
  };
  const lines = script
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  for (const [index, line] of lines.entries()) {
    const { atMs, event } = parseLine(line, index);
    for (let due = nextDeadlineMs(now); due !== null && due < atMs; due = nextDeadlineMs(now))
      handle(due, { kind: 'time' });
    handle(atMs, event);
  }
  return { settings, state: now, commands: all };
}

/** The words that are pending when the script ends. */
export const leftAfter = (settings: TurnSettings, script: string): string =>
  textOf(playOn({ settings, state: begin(settings, 0), commands: [] }, script).state);

/** Only commands of these kinds. */
export const only = (commands: readonly string[], ...kinds: TurnCommand['kind'][]): string[] =>
  commands.filter((each) => kinds.some((kind) => each.split(' ')[1] === kind));

const usual: TurnCircumstances = {
  language: 'en',
  channel: { kind: 'phone', direction: 'outbound' },
  recognizer: { p99FinalMs: 350, hasInterims: true, marksTurns: false },
};

/**
 * Settings of a version in the words of the contract, with the circumstances of a call. Idle timeout and
 * maximum duration are off unless given.
 */
export function turnSettings(
  settings: Record<string, unknown> = {},
  circumstances: Partial<TurnCircumstances> = {},
): TurnSettings {
  return readTurnSettings(
    readAgentSettings({ max_user_idle_timeout: 0, max_call_duration: 1200, ...settings }),
    { ...usual, ...circumstances },
  );
}

function shown(command: TurnCommand): string {
  switch (command.kind) {
    case 'end_turn':
      return `end_turn ${command.speechStartedAtMs}-${command.speechEndedAtMs} ${command.text}`;
    case 'ignored':
      return `ignored ${command.reason} ${command.text}`;
    case 'keypad':
      return `keypad ${command.digits}`;
    case 'analyze':
    case 'speculate':
    case 'classify_opening':
      return `${command.kind} ${command.text}`;
    case 'interrupt':
    case 'pause_output':
    case 'resume_output':
    case 'finalize_recognizer':
    case 'drop_speculation':
    case 'idle':
    case 'time_up':
    case 'mute_started':
    case 'mute_stopped':
    case 'user_started':
    case 'false_interruption':
      return command.kind;
  }
}

function parseLine(line: string, index: number): { atMs: number; event: TurnEvent } {
  const [, at = '', word = '', rest = ''] = /^(\d+)\s+(\S+)\s*(.*)$/.exec(line) ?? [];
  return { atMs: Number(at), event: parseEvent(word, rest, index) };
}

function parseEvent(word: string, rest: string, index: number): TurnEvent {
  const [, segmentId, mark] = /^final(?:#(\w+))?(!)?$/.exec(word) ?? [];
  if (word.startsWith('final'))
    return { kind: 'final', text: rest, segmentId: segmentId ?? `line ${index}`, speechFinal: mark === '!' };
  const parse = events[word];
  if (parse === undefined) throw new Error(`no such event: ${word}`);
  return parse(rest);
}

const events: Readonly<Record<string, (rest: string) => TurnEvent>> = {
  began: () => ({ kind: 'began' }),
  listen: () => ({ kind: 'listen' }),
  tool: (rest) => ({ kind: rest === 'over' ? 'tool_ended' : 'tool_began' }),
  reply: (rest) => ({
    kind: 'reply_began',
    allowInterrupt: !rest.includes('firm'),
    isFirst: rest.includes('first'),
    listens: !rest.includes('last'),
  }),
  sound: () => ({ kind: 'audio_started' }),
  drained: () => ({ kind: 'audio_drained' }),
  complete: () => ({ kind: 'reply_complete' }),
  voice: () => ({ kind: 'voice_started' }),
  quiet: () => ({ kind: 'voice_stopped' }),
  hear: (text) => ({ kind: 'interim', text }),
  ended: () => ({ kind: 'utterance_ended' }),
  analyzed: (rest) => ({ kind: 'analyzed', isComplete: rest === 'yes' }),
  opening: (rest) => ({ kind: 'opening_classified', isMachine: rest === 'machine' }),
  typed: (text) => ({ kind: 'typed', text }),
  gone: () => ({ kind: 'hung_up' }),
  key: (digit) => ({ kind: 'dtmf', digit }),
  wait: () => ({ kind: 'time' }),
};
