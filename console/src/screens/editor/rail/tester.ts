import { createContext, useContext, useMemo } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import type { WorkflowRun } from '../../../../../src/contract/calls.ts';
import type { TextTurn } from '../../../../../src/contract/text-sessions.ts';
import { call } from '../../../app/api.ts';
import { nowDate } from '../../../app/clock.ts';
import { freshId } from '../../../app/insecure.ts';
import { t } from '../../../app/words.ts';
import type { Draft } from '../../../graph/draft.ts';
import { isOver } from '../../../live/call-view.ts';
import type { MicrophoneView } from '../../../live/microphone.ts';
import { placeCall, type PlacedCall } from '../../../live/place-call.ts';
import { createSpeaker } from '../../../live/sound.ts';
import { createTextSession, type TextConversation } from '../../../live/text-session.ts';
import { eventsIn, eventsOfSession } from '../../call/script.ts';
import { type EditorSession, useDraft } from '../session.ts';
import { textRequests } from './requests.ts';
import { readSets, writeSets } from './sets.ts';
import type { ValueSet } from './value-sets.ts';

export type Way = 'type' | 'talk' | 'phone';

type Json = Readonly<Record<string, unknown>>;

/** One conversation with the draft. */
export interface Test {
  /** Tells tests apart. */
  id: number;
  way: Way;
  phase: 'starting' | 'going' | 'over' | 'failed';
  /** The draft that it runs, and since when. */
  draft: Draft;
  begunAt: Date;
  /** The values that it began with. */
  set: ValueSet | null;
  /** Null until the service has made the call. */
  runId: number | null;
  /** The log of the conversation so far. */
  events: readonly Json[];
  /** Turns of a typed conversation, and those that were taken back. */
  turns: readonly TextTurn[];
  discarded: readonly TextTurn[];
  /** Words that have no answer, and why. */
  asked: { text: string; fault: unknown } | null;
  isAnswering: boolean;
  isSpeaking: boolean;
  /** Words of the person that may still change. */
  hearing: string;
  /** Why it did not begin, or ended before its time. */
  fault: unknown;
  lack: 'no_host' | 'no_microphone' | null;
  /** Null in a test without one. */
  microphone: MicrophoneView | null;
  /** The record: of a phone call also while it goes on, of others when it is complete. */
  run: WorkflowRun | null;
  /** Words that are still to be repeated. */
  left: readonly string[];
}

interface TesterState {
  isOpen: boolean;
  way: Way;
  test: Test | null;
  sets: readonly ValueSet[];
  /** Null for the agent's own test values. */
  setId: string | null;
}

/** The draft has changes that the service does not have. */
export class NotSaved extends Error {}

/** Tests the draft of one visit of the editor. One conversation at a time. */
export interface Tester {
  store: StoreApi<TesterState>;
  open: () => void;
  close: () => void;
  setWay: (way: Way) => void;
  chooseSet: (id: string | null) => void;
  keepSets: (sets: readonly ValueSet[]) => void;
  /** Begins a conversation by typing; `lines` are said one after another. */
  type: (lines?: readonly string[]) => Promise<void>;
  /** Call it in a click, because browsers play no sound otherwise. */
  talk: (lines?: readonly string[]) => Promise<void>;
  phone: (number: string) => Promise<void>;
  /** Tries again what did not begin. */
  retry: () => void;
  say: (text: string) => void;
  /** Says something else in place of the words of a turn, 1 for the first. */
  sayInstead: (turn: number, text: string, said: readonly string[]) => void;
  end: () => void;
  setMicrophone: (isOn: boolean) => void;
  /** Hears another device while the call goes on. */
  chooseMicrophone: (id: string) => void;
  /** How loud the microphone is: 0 to 1. */
  level: () => number;
  /** A key of the telephone: `0`–`9`, `*`, `#`. */
  press: (digit: string) => void;
  dispose: () => void;
}

const pollMs = 1000;

const linesOf = ({ call: { get } }: PlacedCall): number =>
  get().said.filter(({ who }) => who === 'caller').length;

export function createTester(session: EditorSession): Tester {
  const { agentId } = session;
  const store = createStore<TesterState>(() => ({
    isOpen: false,
    way: 'type',
    test: null,
    sets: readSets(agentId),
    setId: null,
  }));
  let text: TextConversation | null = null;
  let placed: PlacedCall | null = null;
  /** How many lines of the person there are when the words that were typed last are among them. */
  let awaited = 0;
  let count = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Changes the test of this id, unless another one has begun. */
  const change = (id: number, next: Partial<Test>): void => {
    const { test } = store.getState();
    if (test?.id === id) store.setState({ test: { ...test, ...next } });
  };

  function letGo(): void {
    clearTimeout(timer);
    void text?.end();
    text?.close();
    placed?.close();
    [text, placed] = [null, null];
  }

  /** A new test of what the service has stored. Null if it does not have the draft. */
  async function begin(way: Way, lines: readonly string[]): Promise<Test | null> {
    letGo();
    const id = (count += 1);
    const test: Test = {
      id,
      way,
      phase: 'starting',
      draft: session.draft(),
      begunAt: nowDate(),
      set: chosenSet(store.getState()),
      runId: null,
      events: [],
      turns: [],
      discarded: [],
      asked: null,
      isAnswering: true,
      isSpeaking: false,
      hearing: '',
      fault: null,
      lack: null,
      microphone: null,
      run: null,
      left: lines,
    };
    store.setState({ way, test });
    await session.flush();
    if (session.store.getState().save.is !== 'saved') {
      change(id, { phase: 'failed', fault: new NotSaved(), isAnswering: false });
      return null;
    }
    const now = { draft: session.draft(), begunAt: nowDate() };
    change(id, now);
    return store.getState().test?.id === id ? { ...test, ...now } : null;
  }

  const fail = (id: number, fault: unknown) => change(id, { phase: 'failed', fault, isAnswering: false });

  /** Says what is to be repeated, as soon as the agent listens. */
  function goOn(id: number): void {
    const { test } = store.getState();
    const [next, ...left] = test?.left ?? [];
    if (test?.id !== id || next === undefined || test.phase !== 'going') return;
    if (test.isAnswering || test.asked !== null) return;
    change(id, { left });
    say(next);
  }

  /** Reads the record until it is complete. */
  function follow(id: number, runId: number): void {
    const read = async () => {
      const found = await call('get', '/workflow/{workflow_id}/runs/{run_id}', {
        params: { workflow_id: agentId, run_id: runId },
      }).catch(() => null);
      const { test } = store.getState();
      if (test?.id !== id) return;
      const run = found?.body ?? null;
      if (run?.is_completed !== true) {
        if (run !== null && test.way === 'phone')
          change(id, { run, phase: 'going', events: eventsIn(run.logs) });
        timer = setTimeout(() => void read(), pollMs);
        return;
      }
      const events = eventsIn(run.logs);
      change(id, {
        run,
        phase: 'over',
        isAnswering: false,
        ...(test.way === 'type' || events.length === 0 ? {} : { events }),
      });
    };
    void read();
  }

  async function type(lines: readonly string[] = []): Promise<void> {
    const test = await begin('type', lines);
    if (test === null) return;
    const conversation = createTextSession(textRequests(agentId), {
      values: { ...test.set?.values },
      newKey: () => freshId(),
    });
    text = conversation;
    let isFollowed = false;
    conversation.subscribe(() => {
      const { session: found, asked, isBusy, fault } = conversation.get();
      const isEnded = found?.is_completed === true;
      const data = found?.session_data;
      change(test.id, {
        phase: isEnded ? 'over' : found !== null ? 'going' : fault === null ? 'starting' : 'failed',
        fault,
        runId: found?.workflow_run_id ?? null,
        turns: data?.turns ?? [],
        discarded: data?.discarded_future ?? [],
        events: eventsOfSession(data?.turns ?? []),
        asked,
        isAnswering: isBusy,
      });
      if (isEnded && !isFollowed) {
        isFollowed = true;
        follow(test.id, found.workflow_run_id);
      }
      goOn(test.id);
    });
    await conversation.begin();
  }

  async function talk(lines: readonly string[] = []): Promise<void> {
    const speaker = createSpeaker();
    const test = await begin('talk', lines);
    if (test === null) return speaker.close();
    try {
      const made = await placeCall({ agentId, name: 'Test', values: test.set?.values ?? {}, speaker });
      if (made === null) {
        speaker.close();
        return change(test.id, { phase: 'failed', lack: 'no_host', isAnswering: false });
      }
      if (store.getState().test?.id !== test.id) return made.close();
      [placed, awaited] = [made, 0];
      const { microphone, hasEars, runId } = made;
      const lack = hasEars && microphone === null ? 'no_microphone' : null;
      change(test.id, { runId, microphone: microphone?.get() ?? null, lack });
      microphone?.subscribe(() => change(test.id, { microphone: microphone.get() }));
      let isFollowed = false;
      const show = () => {
        const view = made.call.get();
        const last = view.said.at(-1);
        const asked = store.getState().test?.asked ?? null;
        const isRepeated = linesOf(made) >= awaited;
        change(test.id, {
          phase: isOver(view)
            ? view.phase === 'ended'
              ? 'over'
              : 'failed'
            : view.phase === 'talking'
              ? 'going'
              : 'starting',
          events: view.events,
          isAnswering: view.isAnswering,
          isSpeaking: view.isAgentSpeaking,
          hearing: last?.who === 'caller' && !last.isFinal ? last.text : '',
          fault: view.phase === 'lost' || view.phase === 'refused' ? view : null,
          asked: isRepeated || isOver(view) ? null : asked,
        });
        if (isOver(view) && !isFollowed) {
          isFollowed = true;
          made.close();
          // A call that was refused never began, and has no record.
          if (view.phase !== 'refused') follow(test.id, runId);
        }
        goOn(test.id);
      };
      made.call.subscribe(show);
      show();
    } catch (fault) {
      speaker.close();
      fail(test.id, fault);
    }
  }

  async function phone(number: string): Promise<void> {
    const test = await begin('phone', []);
    if (test === null) return;
    try {
      const { body } = await call('post', '/telephony/initiate-call', {
        body: { workflow_id: agentId, phone_number: number, initial_context: { ...test.set?.values } },
      });
      change(test.id, { runId: body.workflow_run_id, phase: 'going', isAnswering: false });
      follow(test.id, body.workflow_run_id);
    } catch (fault) {
      fail(test.id, fault);
    }
  }

  function say(words: string): void {
    const { test } = store.getState();
    if (test === null || words.trim() === '') return;
    if (test.way === 'type') void text?.say(words);
    if (test.way === 'talk' && placed !== null) {
      // Until the host repeats the words, they wait.
      awaited = linesOf(placed) + 1;
      change(test.id, { asked: { text: words.trim(), fault: null } });
      placed.call.say(words);
    }
  }

  return {
    store,
    open: () => store.setState({ isOpen: true }),
    close: () => store.setState({ isOpen: false }),
    setWay: (way) => store.setState({ way }),
    chooseSet: (setId) => store.setState({ setId }),
    keepSets: (sets) => {
      writeSets(agentId, sets);
      store.setState({ sets });
    },
    type,
    talk,
    phone,
    retry: () => void (text === null ? type() : text.begin()),
    say,
    sayInstead: (turn, words, said) => {
      const { test } = store.getState();
      const before = test?.turns.filter(({ user_message: message }) => message !== null)[turn - 1];
      if (test?.way === 'type' && test.phase === 'going' && before !== undefined)
        return void text?.sayInstead(before.id, words);
      // What is over, or was spoken, cannot go back: the same is said again up to here.
      void type([...said.slice(0, turn - 1), words]);
    },
    end: () => {
      const { test } = store.getState();
      if (test !== null) change(test.id, { left: [] });
      void text?.end();
      placed?.call.hangUp();
    },
    setMicrophone: (isOn) => placed?.setMicrophone(isOn),
    chooseMicrophone: (id) => void placed?.microphone?.choose(id),
    level: () => placed?.level() ?? 0,
    press: (digit) => placed?.call.press(digit),
    dispose: () => {
      clearTimeout(timer);
      text?.close();
      placed?.close();
    },
  };
}

/** The set of values that the next test begins with; null for the agent's own. */
export const chosenSet = ({ sets, setId }: Pick<TesterState, 'sets' | 'setId'>): ValueSet | null =>
  sets.find(({ id }) => id === setId) ?? null;

export const TesterContext = createContext<Tester | null>(null);

export function useTester(): Tester {
  const found = useContext(TesterContext);
  if (found === null) throw new Error('The editor has no tester here');
  return found;
}

/** A part of the tester's state; the component is drawn again when it changes. */
export function useTest<T>(select: (state: TesterState) => T): T {
  return useStore(useTester().store, select);
}

/** The values that the next test begins with, over the agent's own, as the service puts them together. */
export function useTestValues(): { name: string; values: Draft['values'] } {
  const { values } = useDraft();
  const set = useTest(chosenSet);
  return useMemo(
    () => ({ name: set?.name ?? t('rail.ownValues'), values: { ...values, ...set?.values } }),
    [values, set],
  );
}
