/** What is used of a `MediaStreamTrack`. */
interface Track {
  readonly label: string;
  getSettings: () => { deviceId?: string };
  addEventListener: (type: 'ended', listener: () => void) => void;
}

/** What is used of a `MediaStream`. */
export interface SoundStream {
  getTracks: () => readonly { stop: () => void }[];
  getAudioTracks: () => readonly Track[];
}

/** What is used of `navigator.mediaDevices`. */
export interface Media<Stream extends SoundStream> {
  getUserMedia: (wanted: { audio: typeof wishes & { deviceId?: { exact: string } } }) => Promise<Stream>;
  enumerateDevices: () => Promise<readonly { kind: string; deviceId: string; label: string }[]>;
  addEventListener: (type: 'devicechange', listener: () => void) => void;
  removeEventListener: (type: 'devicechange', listener: () => void) => void;
}

const wishes = { echoCancellation: true, noiseSuppression: true };

export interface MicrophoneDevice {
  id: string;
  label: string;
}

/** What a screen shows of the microphones. */
export interface MicrophoneView {
  devices: readonly MicrophoneDevice[];
  /** The device that is heard. Null if none is left. */
  current: string | null;
  /** What went wrong last: a device is gone, or could not be opened and the one before is still heard. */
  trouble: { is: 'gone' | 'refused'; label: string } | null;
}

/** A microphone that is heard, and the others that could be. */
export interface Microphone {
  get: () => MicrophoneView;
  subscribe: (listener: () => void) => () => void;
  /** Hears another device. If it cannot be opened, the present one goes on. */
  choose: (id: string) => Promise<void>;
  close: () => void;
}

/** A device that is heard now. */
interface Heard {
  track: Track;
  stop: () => void;
}

/**
 * Opens the browser's own choice of a microphone. A device that is unplugged is replaced by what is left, and by the
 * next one that is plugged in if nothing is. Throws if the person or the browser refuses.
 */
export async function openMicrophone<Stream extends SoundStream>(
  media: Media<Stream>,
  /** Where the sound goes. Answers how to stop. */
  listen: (stream: Stream) => Promise<() => void>,
): Promise<Microphone> {
  let view: MicrophoneView = { devices: [], current: null, trouble: null };
  let heard: Heard | null = null;
  let isClosed = false;
  let isReplacing = false;
  /** Counts what was asked for, so that a device that opens late does not replace a later choice. */
  let asked = 0;
  const listeners = new Set<() => void>();
  const change = (change: Partial<MicrophoneView>): void => {
    view = { ...view, ...change };
    for (const each of listeners) each();
  };

  /** Hears a device in place of the present one. False if something else was asked for meanwhile. */
  async function hear(id: string | null): Promise<boolean> {
    const mine = (asked += 1);
    const stream = await media.getUserMedia({
      audio: id === null ? wishes : { ...wishes, deviceId: { exact: id } },
    });
    const stop = await listen(stream).catch((error: unknown) => {
      stopTracks(stream);
      throw error;
    });
    const next = { track: stream.getAudioTracks()[0], stop: () => (stop(), stopTracks(stream)) };
    if (isClosed || mine !== asked || next.track === undefined) {
      next.stop();
      return false;
    }
    const { track } = next;
    heard?.stop();
    heard = { track, stop: next.stop };
    track.addEventListener('ended', () => void replace(track));
    return true;
  }

  const readDevices = async (): Promise<readonly MicrophoneDevice[]> =>
    (await media.enumerateDevices())
      .filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId !== '')
      .map(({ deviceId, label }) => ({ id: deviceId, label }));
  const currentOf = (devices: readonly MicrophoneDevice[]): string | null => {
    if (heard === null) return null;
    const { deviceId } = heard.track.getSettings();
    // A browser that does not say which device it chose names it as the track.
    const found = devices.find(({ id, label }) => id === deviceId || label === heard?.track.label);
    return found?.id ?? deviceId ?? '';
  };
  /** Reads the devices anew; without `trouble`, the last one stays. */
  const show = async (news: Pick<Partial<MicrophoneView>, 'trouble'> = {}): Promise<void> => {
    const devices = await readDevices().catch(() => view.devices);
    if (!isClosed) change({ devices, current: currentOf(devices), ...news });
  };

  /** The device of a track is gone: what is left is heard instead. */
  async function replace(track: Track): Promise<void> {
    if (isClosed || heard?.track !== track) return;
    heard.stop();
    heard = null;
    isReplacing = true;
    // Without another device this is said too; after a choice that was made meanwhile, it is not.
    const isNews = await hear(null).catch(() => true);
    isReplacing = false;
    if (isNews) await show({ trouble: { is: 'gone', label: track.label } });
  }

  const onDevices = (): void => {
    void (async () => {
      const isBack = heard === null && !isReplacing && (await hear(null).catch(() => false));
      await show(isBack ? { trouble: null } : {});
    })();
  };

  await hear(null);
  await show();
  media.addEventListener('devicechange', onDevices);
  return {
    get: () => view,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    choose: async (id) => {
      const label = view.devices.find((device) => device.id === id)?.label ?? '';
      try {
        if (await hear(id)) await show({ trouble: null });
      } catch {
        await show({ trouble: { is: 'refused', label } });
      }
    },
    close: () => {
      isClosed = true;
      listeners.clear();
      media.removeEventListener('devicechange', onDevices);
      heard?.stop();
      heard = null;
    },
  };
}

function stopTracks(stream: SoundStream): void {
  for (const track of stream.getTracks()) track.stop();
}
