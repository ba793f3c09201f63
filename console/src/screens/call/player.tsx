import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Pause, Play, SkipBack, SkipForward } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { duration } from '../../app/format.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Select } from '../../parts/select.tsx';
import type { ScriptItem } from './script.ts';

/** The play head of a call. It moves with the sound; without sound it is where the person put it. */
export interface Player {
  atMs: number;
  lengthMs: number;
  isPlaying: boolean;
  hasFailed: boolean;
  rate: number;
  seek: (atMs: number) => void;
  toggle: () => void;
  setRate: (rate: number) => void;
  audio: RefObject<HTMLAudioElement | null>;
  /** The element that plays. Null without a recording. */
  element: ReactNode;
}

const rates = [1, 1.25, 1.5, 2];
const stepMs = 80;
const linkMs = 50 * 60_000;

/** The address of a recording, which is good for an hour. Null without one, and until it is known. */
export function useSound(key: string | null): string | null {
  const { data } = useQuery({
    ...get('/s3/signed-url', { query: { key: key ?? '', inline: true } }),
    enabled: key !== null,
    staleTime: linkMs,
    placeholderData: keepPreviousData,
  });
  return key === null ? null : (data?.url ?? null);
}

/** `src` may change, to another track: the moment stays. */
export function usePlayer({
  src,
  lengthMs,
  beginAt,
}: {
  src: string | null;
  lengthMs: number;
  /** The moment of the link, in milliseconds. */
  beginAt: number;
}): Player {
  const audio = useRef<HTMLAudioElement>(null);
  const [atMs, setAt] = useState(beginAt);
  const [soundMs, setSoundMs] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const [failedSrc, setFailedSrc] = useState<string | null>(null);
  const [rate, setRate] = useState(1);
  const wanted = useRef(beginAt);
  const wasPlaying = useRef(false);
  /** False while another track is loaded, which begins at 0. */
  const isReady = useRef(false);

  useEffect(() => {
    if (!isPlaying) return undefined;
    let frame = 0;
    const follow = () => {
      const now = isReady.current ? (audio.current?.currentTime ?? 0) * 1000 : wanted.current;
      setAt((before) => (Math.abs(now - before) < stepMs ? before : now));
      wanted.current = now;
      frame = requestAnimationFrame(follow);
    };
    frame = requestAnimationFrame(follow);
    return () => cancelAnimationFrame(frame);
  }, [isPlaying]);

  const play = () => {
    wasPlaying.current = true;
    // A browser refuses to play before the person has done anything: the button stays.
    audio.current?.play().catch(() => undefined);
  };
  const seek = (to: number) => {
    const next = Math.max(0, to);
    wanted.current = next;
    setAt(next);
    if (audio.current !== null && isReady.current) audio.current.currentTime = next / 1000;
  };
  return {
    atMs,
    lengthMs: Math.max(soundMs, lengthMs),
    isPlaying,
    hasFailed: src !== null && failedSrc === src,
    rate,
    seek,
    toggle: () => {
      if (isPlaying) {
        wasPlaying.current = false;
        audio.current?.pause();
      } else play();
    },
    setRate: (next) => {
      setRate(next);
      if (audio.current !== null) audio.current.playbackRate = next;
    },
    audio,
    element:
      src === null ? null : (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- the transcript below follows the sound
        <audio
          ref={audio}
          src={src}
          preload="metadata"
          className="hidden"
          onLoadedMetadata={({ currentTarget }) => {
            setSoundMs(currentTarget.duration * 1000);
            currentTarget.currentTime = wanted.current / 1000;
            currentTarget.playbackRate = rate;
            isReady.current = true;
            if (wasPlaying.current) play();
          }}
          onEmptied={() => {
            isReady.current = false;
          }}
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          onEnded={() => {
            wasPlaying.current = false;
          }}
          onError={() => setFailedSrc(src)}
        />
      ),
  };
}

export type Track = 'both' | 'caller' | 'agent';

/** The controls of the recording. */
export function Deck({
  player,
  items,
  track,
  tracks,
  onTrack,
  onTurn,
  children,
}: {
  player: Player;
  items: readonly ScriptItem[];
  track: Track;
  tracks: readonly Track[];
  onTrack: (track: Track) => void;
  /** To the line before or after the play head. */
  onTurn: (by: 1 | -1) => void;
  children?: ReactNode;
}) {
  return (
    <section className="call-deck" aria-label={t('call.recording')}>
      {player.element}
      <Button
        className="play"
        aria-label={t(player.isPlaying ? 'call.pause' : 'call.play')}
        icon={player.isPlaying ? Pause : Play}
        isDisabled={player.hasFailed}
        onPress={player.toggle}
      />
      <IconButton icon={SkipBack} label={t('call.previousTurn')} onPress={() => onTurn(-1)} />
      <IconButton icon={SkipForward} label={t('call.nextTurn')} onPress={() => onTurn(1)} />
      <span className="clock">
        <b>{duration(player.atMs / 1000)}</b> / {duration(player.lengthMs / 1000)}
      </span>
      <Scrubber player={player} items={items} />
      <Button
        kind="ghost"
        aria-label={t('call.speed', { rate: String(player.rate) })}
        onPress={() => player.setRate(rates[(rates.indexOf(player.rate) + 1) % rates.length] ?? 1)}
      >
        {player.rate}×
      </Button>
      {tracks.length > 1 && (
        <Select
          label={t('call.track')}
          isLabelHidden
          value={track}
          onChange={(next) => onTrack(tracks.find((each) => each === next) ?? 'both')}
          options={tracks.map((each) => ({ value: each, label: t(`call.track.${each}`) }))}
          className="track hide-s"
        />
      )}
      {children}
    </section>
  );
}

/** A recording beside other things: play, and where. */
export function SmallDeck({
  recording,
  items,
  lengthMs,
}: {
  /** Key of the file. */
  recording: string;
  items: readonly ScriptItem[];
  lengthMs: number;
}) {
  const player = usePlayer({ src: useSound(recording), lengthMs, beginAt: 0 });
  return (
    <section className="small-deck" aria-label={t('call.recording')}>
      {player.element}
      <IconButton
        kind="primary"
        className="play"
        label={t(player.isPlaying ? 'call.pause' : 'call.play')}
        icon={player.isPlaying ? Pause : Play}
        isDisabled={player.hasFailed}
        onPress={player.toggle}
      />
      <Scrubber player={player} items={items} />
      <span className="num text-12 text-muted">
        {duration((player.isPlaying || player.atMs > 0 ? player.atMs : player.lengthMs) / 1000)}
      </span>
    </section>
  );
}

/** Who spoke when, and the play head. The time line with lanes will stand in its place. */
function Scrubber({ player, items }: { player: Player; items: readonly ScriptItem[] }) {
  const { lengthMs } = player;
  const share = (ms: number) => `${lengthMs === 0 ? 0 : Math.min(100, (ms / lengthMs) * 100)}%`;
  return (
    <div className="scrub">
      <div className="scrub-marks" aria-hidden>
        {items.map((item) =>
          item.kind === 'line' ? (
            <i
              key={`${item.at}-${item.speaker}`}
              className={`is-${item.speaker} ${item.speaker}`}
              style={{
                insetInlineStart: share(item.at),
                width: share(Math.max(200, (item.until ?? item.at + item.text.length * 60) - item.at)),
              }}
            />
          ) : null,
        )}
        <b style={{ insetInlineStart: share(player.atMs) }} />
      </div>
      <input
        type="range"
        min={0}
        max={Math.max(1, Math.round(lengthMs / 100) / 10)}
        step={0.1}
        value={Math.round(player.atMs / 100) / 10}
        aria-label={t('call.position')}
        aria-valuetext={t('call.positionOf', {
          at: duration(player.atMs / 1000),
          length: duration(lengthMs / 1000),
        })}
        onChange={({ target }) => player.seek(Number(target.value) * 1000)}
      />
    </div>
  );
}
