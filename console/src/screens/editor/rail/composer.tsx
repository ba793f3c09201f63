import { ChevronDown, Grip, Mic, MicOff, PhoneOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../app/api.ts';
import { t } from '../../../app/words.ts';
import type { MicrophoneView } from '../../../live/microphone.ts';
import { Button, IconButton } from '../../../parts/button.tsx';
import { Menu } from '../../../parts/menu.tsx';
import { type Test, useTester } from './tester.ts';

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];

/** Where the person says something, and ends the conversation. */
export function Composer({ test }: { test: Test }) {
  const tester = useTester();
  const [text, setText] = useState('');
  const [hasKeys, setKeys] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const { asked } = test;
  const fault = asked?.fault ?? null;
  useEffect(() => field.current?.focus(), []);
  // Words without an answer come back, so that they can be sent again or changed.
  const failed = fault === null ? null : (asked?.text ?? null);
  useEffect(() => {
    if (failed !== null) setText(failed);
  }, [failed]);
  const isWaiting =
    test.phase !== 'going' || (test.way === 'type' && test.isAnswering) || (asked !== null && fault === null);
  const say = () => {
    if (isWaiting || text.trim() === '') return;
    tester.say(text);
    setText('');
  };
  return (
    <form
      className="foot compose"
      onSubmit={(event) => {
        event.preventDefault();
        say();
      }}
    >
      {fault !== null && (
        <p role="alert" className="text-bad-text small">
          {fault instanceof ApiError ? fault.message : t('common.unexpected')} {t('rail.notAnswered')}
        </p>
      )}
      {hasKeys && (
        <div className="keypad" role="group" aria-label={t('rail.keypad')}>
          {keys.map((digit) => (
            <Button key={digit} onPress={() => tester.press(digit)}>
              {digit}
            </Button>
          ))}
        </div>
      )}
      {test.microphone !== null && <Microphone view={test.microphone} />}
      <div className="box">
        <input
          ref={field}
          value={text}
          maxLength={2000}
          autoComplete="off"
          aria-label={t('rail.yourWords')}
          placeholder={t(test.microphone === null ? 'rail.typeWords' : 'rail.sayOrType')}
          onChange={({ target }) => setText(target.value)}
        />
        <div className="row">
          {test.way === 'talk' && (
            <IconButton
              size="xs"
              icon={Grip}
              label={t('rail.keypad')}
              aria-expanded={hasKeys}
              onPress={() => setKeys(!hasKeys)}
            />
          )}
          <Button size="xs" icon={PhoneOff} onPress={tester.end}>
            {t(test.way === 'talk' ? 'rail.hangUp' : 'rail.end')}
          </Button>
          <span className="grow small t-2 cut">
            {test.left.length > 0 && t('rail.repeating', { count: test.left.length })}
          </span>
          <Button size="xs" kind="primary" type="submit" isDisabled={isWaiting || text.trim() === ''}>
            {t(fault !== null && text.trim() === failed ? 'common.retry' : 'rail.say')}
          </Button>
        </div>
      </div>
    </form>
  );
}

/** The device that is heard, with the others to choose from. */
function Microphone({ view: { devices, current, trouble } }: { view: MicrophoneView }) {
  const tester = useTester();
  const [isOn, setOn] = useState(true);
  const nameOf = (id: string | null): string =>
    id === null
      ? t('rail.microphoneNone')
      : (devices.find((device) => device.id === id)?.label ?? '') || t('rail.microphone');
  const name = nameOf(current);
  return (
    <>
      {trouble !== null && (
        <p role="status" className="small text-warn-text">
          {t(
            trouble.is === 'refused'
              ? 'rail.microphoneRefused'
              : current === null
                ? 'rail.microphoneGone'
                : 'rail.microphoneReplaced',
            { device: trouble.label === '' ? t('rail.microphone') : trouble.label, now: name },
          )}
        </p>
      )}
      <div className="row mic">
        <IconButton
          size="xs"
          icon={isOn ? Mic : MicOff}
          label={t(isOn ? 'rail.mute' : 'rail.unmute')}
          onPress={() => {
            tester.setMicrophone(!isOn);
            setOn(!isOn);
          }}
        />
        <Level />
        <Menu
          label={t('rail.microphones')}
          trigger={
            <Button
              size="xs"
              kind="ghost"
              isDisabled={devices.length === 0}
              aria-label={t('rail.microphoneOf', { name })}
            >
              <span className="cut">{name}</span>
              <ChevronDown className="i" aria-hidden size={14} strokeWidth={1.5} />
            </Button>
          }
          entries={devices.map(({ id }) => ({
            id,
            label: nameOf(id),
            ...(id === current ? { note: '✓' } : {}),
            onAction: () => tester.chooseMicrophone(id),
          }))}
        />
      </div>
    </>
  );
}

/** How loud the microphone is. */
function Level() {
  const tester = useTester();
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      bar.current?.style.setProperty('inline-size', `${Math.round(tester.level() * 100)}%`);
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [tester]);
  return (
    <span className="level" role="img" aria-label={t('rail.level')}>
      <i ref={bar} />
    </span>
  );
}
