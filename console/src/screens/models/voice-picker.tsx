import { useQuery } from '@tanstack/react-query';
import { Check, Play, Square } from 'lucide-react';
import { use, useEffect, useRef, useState } from 'react';
import { send } from '../../app/api.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction } from '../../parts/action.tsx';
import { IconButton } from '../../parts/button.tsx';
import { ReadOnly } from '../../parts/read-only.ts';

/** The voices of a vendor, to listen to and to choose from. */
export function VoicePicker({
  provider,
  voice,
  language,
  onVoice,
}: {
  provider: string;
  voice: string;
  language: string;
  onVoice: (voice: string) => void;
}) {
  const { data } = useQuery(get('/user/configurations/voices/{provider}', { params: { provider } }));
  const isReadOnly = use(ReadOnly);
  const { run, error } = useAction();
  const player = useRef<HTMLAudioElement | null>(null);
  const [playing, setPlaying] = useState<string | null>(null);
  const asking = useRef(new AbortController());
  const stop = () => {
    asking.current.abort();
    player.current?.pause();
    if (player.current !== null) URL.revokeObjectURL(player.current.src);
    player.current = null;
    setPlaying(null);
  };
  useEffect(
    () => () => {
      asking.current.abort();
      player.current?.pause();
    },
    [],
  );
  const play = (id: string) => {
    stop();
    asking.current = new AbortController();
    const { signal } = asking.current;
    setPlaying(id);
    run(async () => {
      if (signal.aborted) return;
      try {
        const answer = await send(
          'post',
          `/user/configurations/voices/${encodeURIComponent(provider)}/sample`,
          {
            body: JSON.stringify({ voice: id, ...(language === '' ? {} : { language }) }),
            contentType: 'application/json',
            signal,
          },
        );
        const file = await answer.blob();
        if (signal.aborted) return;
        const sound = new Audio(URL.createObjectURL(file));
        player.current = sound;
        sound.addEventListener('ended', stop);
        await sound.play();
      } catch (failure) {
        if (signal.aborted) return;
        stop();
        throw failure;
      }
    }, signal);
  };
  if (data === undefined || data.voices.length === 0) return null;
  return (
    <fieldset className="field">
      <legend className="lbl">{t('models.voices')}</legend>
      <ul className="voices" tabIndex={0} aria-label={t('models.voices')}>
        {data.voices.map(({ voice_id: id, name, gender }) => (
          <li key={id} className="flex min-h-8 items-center gap-1">
            <IconButton
              icon={playing === id ? Square : Play}
              label={t(playing === id ? 'models.stop' : 'models.listen', { name })}
              size="xs"
              needs="agents:write"
              onPress={() => (playing === id ? stop() : play(id))}
            />
            <button
              type="button"
              disabled={isReadOnly}
              aria-pressed={voice === id}
              className="flex min-h-7 flex-1 items-center gap-1"
              onClick={() => onVoice(id)}
            >
              <span className="text-ink">{name}</span>
              <span className="text-hint text-12">{t(`models.gender.${gender}`)}</span>
              {voice === id && <Check className="text-ok" aria-hidden size={14} />}
            </button>
          </li>
        ))}
      </ul>
      <Refusal error={error} />
    </fieldset>
  );
}
