import { Grip, Mic, MicOff, PhoneOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../app/api.ts';
import { t } from '../../../app/words.ts';
import { MicrophoneChoice } from '../../../live/microphone-choice.tsx';
import type { MicrophoneView } from '../../../live/microphone.ts';
import { Button, IconButton } from '../../../parts/button.tsx';
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
          <Button size="xs" kind="primary" type="submit" sends isDisabled={isWaiting || text.trim() === ''}>
            {t(fault !== null && text.trim() === failed ? 'common.retry' : 'rail.say')}
          </Button>
        </div>
      </div>
    </form>
  );
}

/** The device that is heard, and a button that mutes it. */
function Microphone({ view }: { view: MicrophoneView }) {
  const tester = useTester();
  const [isOn, setOn] = useState(true);
  return (
    <MicrophoneChoice view={view} level={tester.level} onChoose={tester.chooseMicrophone}>
      <IconButton
        size="xs"
        icon={isOn ? Mic : MicOff}
        label={t(isOn ? 'microphone.mute' : 'microphone.unmute')}
        onPress={() => {
          tester.setMicrophone(!isOn);
          setOn(!isOn);
        }}
      />
    </MicrophoneChoice>
  );
}
