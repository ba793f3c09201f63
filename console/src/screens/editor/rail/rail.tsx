import { Repeat2, X } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { AnswerOf } from '../../../../../src/contract/client-types.ts';
import { duration, timeOfDay } from '../../../app/format.ts';
import { useNow } from '../../../app/now.ts';
import { get } from '../../../app/query.ts';
import { t } from '../../../app/words.ts';
import { sameJson } from '../../../graph/draft.ts';
import { Simulated } from '../../../parts/badge.tsx';
import { Button, IconButton } from '../../../parts/button.tsx';
import { Segmented } from '../../../parts/tabs.tsx';
import { useDraft, useEditor } from '../session.ts';
import { Composer } from './composer.tsx';
import { FoundList } from './found-list.tsx';
import { Blocked, Failed, Over, Start } from './stages.tsx';
import { PhoneCall } from './phone.tsx';
import { behaviorOf } from './behavior.ts';
import { saidBy } from './rows.ts';
import type { ShownTest } from './shown.ts';
import { chosenSet, type Test, useTest, useTester, type Way } from './tester.ts';
import { Transcript } from './transcript.tsx';
import { Values } from './values.tsx';

const ways: readonly Way[] = ['type', 'talk', 'phone'];
type Health = AnswerOf<'get', '/health'>;

/** Tests the draft beside the graph: by typing, by talking, or on a phone. */
export function TestRail({ shown }: { shown: ShownTest }) {
  const tester = useTester();
  const way = useTest((state) => state.way);
  const { data: health } = useQuery(get('/health', {}));
  const problems = useEditor((state) => state.distinctProblems);
  const isBlocked = problems.some(({ severity }) => severity === 'error');
  const place = useRef<HTMLElement>(null);
  const { test, rows } = shown;
  // Each way shows its own test; the last one stays until another begins.
  const own = test?.way === way ? test : null;
  const said = saidBy(rows);
  const canRepeat = own !== null && said.length > 0 && own.left.length === 0 && !isBlocked;
  const begin = (lines: readonly string[] = []) =>
    void (way === 'talk' ? tester.talk(lines) : tester.type(lines));
  const repeat = () => canRepeat && begin(said);
  useEffect(() => {
    const panel = place.current;
    if (panel?.contains(document.activeElement) === false)
      panel.querySelector<HTMLElement>('.foot :is(input, button), .begin button')?.focus();
  }, []);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'r' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    repeat();
  };
  const instead = (turn: number, text: string) => {
    tester.sayInstead(turn, text, said);
    place.current?.querySelector<HTMLElement>('.compose input')?.focus();
  };
  return (
    // Ctrl R repeats the test only while the focus is in here; elsewhere it reloads the page.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a shortcut; the button Repeat does the same
    <aside ref={place} className="panel testing" aria-label={t('rail.title')} onKeyDown={onKey}>
      <header>
        <Segmented
          label={t('rail.ways')}
          options={ways.map((id) => ({ id, label: t(`rail.way.${id}`) }))}
          value={way}
          onChange={tester.setWay}
        />
        <span className="grow" />
        <IconButton icon={Repeat2} label={t('rail.repeat')} isDisabled={!canRepeat} onPress={repeat} />
        <IconButton icon={X} label={t('common.close')} onPress={tester.close} />
      </header>
      <div className="facts">
        <Values />
        {isSimulated(way, health) && <Simulated />}
        <span className="grow" />
        {own !== null && <Clock test={own} turn={said.length} />}
      </div>
      {own !== null && <Stale test={own} onAgain={() => begin()} />}
      {isBlocked && (own === null || own.phase !== 'going') ? (
        <Blocked />
      ) : way === 'phone' ? (
        <PhoneCall test={own} isSimulated={health?.simulated.carrier === true}>
          {own !== null && rows.length > 0 && <Transcript test={own} rows={rows} onInstead={instead} />}
          {own !== null && <FoundList test={own} rows={rows} />}
        </PhoneCall>
      ) : own === null ? (
        <Start way={way} onStart={() => begin()} isDeaf={health?.simulated.stt === true} />
      ) : (
        <>
          {own.lack === 'no_microphone' && own.phase !== 'over' && (
            <div role="status" className="banner is-warn">
              <span className="grow">{t('rail.noMicrophone')}</span>
              <Button size="xs" onPress={() => void tester.type()}>
                {t('rail.typeInstead')}
              </Button>
            </div>
          )}
          <Transcript test={own} rows={rows} onInstead={instead} />
          <FoundList test={own} rows={rows} />
          {own.phase === 'over' ? (
            <Over test={own} onAgain={() => begin()} />
          ) : own.phase === 'failed' ? (
            <Failed test={own} onAgain={() => begin()} />
          ) : (
            <Composer key={own.id} test={own} />
          )}
        </>
      )}
    </aside>
  );
}

function isSimulated(way: Way, health: Health | undefined): boolean {
  const simulated = health?.simulated;
  if (simulated === undefined) return false;
  const { llm, stt, tts, carrier } = simulated;
  return llm || (way !== 'type' && (stt || tts)) || (way === 'phone' && carrier);
}

function Clock({ test, turn }: { test: Test; turn: number }) {
  const now = useNow();
  const first = test.events[0]?.['timestamp'];
  const began = typeof first === 'string' ? Date.parse(first) : null;
  const last = test.events.at(-1)?.['timestamp'];
  const until = test.phase === 'going' || typeof last !== 'string' ? now : Date.parse(last);
  if (began === null) return null;
  return (
    <span className="small t-2 num whitespace-nowrap">
      {turn === 0
        ? duration((until - began) / 1000)
        : t('rail.clock', { time: duration((until - began) / 1000), turn })}
    </span>
  );
}

/** The draft or the values were changed since the conversation began. */
function Stale({ test, onAgain }: { test: Test; onAgain: () => void }) {
  const draft = useDraft();
  const set = useTest(chosenSet);
  if (test.phase === 'starting' || test.way === 'phone') return null;
  const isOther = !sameJson(set?.values ?? null, test.set?.values ?? null);
  const isOld = !sameJson(behaviorOf(draft), behaviorOf(test.draft));
  if (!isOther && !isOld) return null;
  return (
    <div role="status" className="banner is-warn">
      <span className="grow">
        {isOld ? t('rail.stale', { time: timeOfDay(test.begunAt) }) : t('rail.staleValues')}
      </span>
      <Button size="xs" onPress={onAgain}>
        {t('rail.startAgain')}
      </Button>
    </div>
  );
}
