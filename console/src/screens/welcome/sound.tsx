import { Volume2, VolumeX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { soundChoice } from '../../app/sound-choice.ts';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { isOver } from '../../live/call-view.ts';
import { ring } from '../../live/sound.ts';
import { type Started } from './start.ts';

export interface Sound {
  isRingOn: boolean;
  setRing: (is: boolean) => void;
  isVoiceOn: boolean;
  setVoice: (is: boolean) => void;
}

/** The agent's voice. A simulated voice is noise, so the browser reads the captions aloud instead. */
export function useVoice({
  started,
  isSimulatedVoice,
}: {
  started: Started | null;
  isSimulatedVoice: boolean;
}): Pick<Sound, 'isVoiceOn' | 'setVoice'> {
  const [voice, setVoice] = useState<boolean | null>(null);
  const isVoiceOn = voice ?? (!isSimulatedVoice && soundChoice.get() === 'on');
  useEffect(() => {
    if (!isSimulatedVoice) started?.speaker?.setMuted(!isVoiceOn);
  }, [started, isVoiceOn, isSimulatedVoice]);
  const isReading = isSimulatedVoice && isVoiceOn;
  useEffect(() => {
    if (!isReading || started === null || !('speechSynthesis' in globalThis)) return undefined;
    const { call } = started;
    const words = () =>
      call
        .get()
        .said.filter(({ who }) => who === 'agent')
        .map(({ text }) => text)
        .join(' ');
    let read = words().length;
    const leave = call.subscribe(() => {
      const all = words();
      if (isOver(call.get()) || call.get().said.at(-1)?.who === 'caller') speechSynthesis.cancel();
      if (all.length > read) speechSynthesis.speak(new SpeechSynthesisUtterance(all.slice(read)));
      read = all.length;
    });
    return () => {
      leave();
      speechSynthesis.cancel();
    };
  }, [isReading, started]);
  return { isVoiceOn, setVoice };
}

export function useRingTone(isOn: boolean): void {
  useEffect(() => {
    if (!isOn || matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
    return ring();
  }, [isOn]);
}

export function SoundButton({
  sound,
  isRinging,
  isVoiceSimulated,
}: {
  sound: Sound;
  isRinging: boolean;
  isVoiceSimulated: boolean;
}) {
  const isOn = isRinging ? sound.isRingOn : sound.isVoiceOn;
  if (!isRinging && isVoiceSimulated)
    return (
      <button
        type="button"
        className={cx('btn ghost', isOn && 'is-pressed')}
        aria-pressed={isOn}
        onClick={() => sound.setVoice(!isOn)}
      >
        <Volume2 className="i" aria-hidden size={16} strokeWidth={1.5} />
        <span className="btn-text">{t('welcome.readAloud')}</span>
      </button>
    );
  const words = isRinging
    ? t(isOn ? 'welcome.ringOn' : 'welcome.ringOff')
    : t(isOn ? 'welcome.soundOn' : 'welcome.soundOff');
  return (
    <Button
      kind="ghost"
      icon={isOn ? Volume2 : VolumeX}
      onPress={() => (isRinging ? sound.setRing(!isOn) : sound.setVoice(!isOn))}
    >
      {words}
    </Button>
  );
}
