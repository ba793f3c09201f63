import { describe, expect, test } from '@jest/globals';
import { openMicrophone } from '../../../console/src/live/microphone.ts';

class FakeTrack extends EventTarget {
  isStopped = false;
  id: string;
  constructor(id: string) {
    super();
    this.id = id;
  }
  get label() {
    return `The ${this.id}`;
  }
  getSettings = () => ({ deviceId: this.id });
  stop = () => void (this.isStopped = true);
}

/** Microphones that are plugged in and out; the first one is the browser's own choice. */
class FakeMedia extends EventTarget {
  plugged: string[];
  opened: FakeTrack[] = [];
  broken = new Set<string>();
  /** A device that opens only when this resolves. */
  slow: { id: string; opens: Promise<void> } | null = null;
  constructor(...plugged: string[]) {
    super();
    this.plugged = plugged;
  }
  getUserMedia = async ({ audio }: { audio: { deviceId?: { exact: string } } }) => {
    const id = audio.deviceId?.exact ?? this.plugged[0];
    if (this.slow !== null && this.slow.id === id) await this.slow.opens;
    if (id === undefined || !this.plugged.includes(id) || this.broken.has(id))
      throw new DOMException('Requested device not found', 'NotFoundError');
    const track = new FakeTrack(id);
    this.opened.push(track);
    return { getTracks: () => [track], getAudioTracks: () => [track] };
  };
  enumerateDevices = () =>
    Promise.resolve([
      { kind: 'videoinput', deviceId: 'camera', label: 'Camera' },
      ...this.plugged.map((id) => ({ kind: 'audioinput', deviceId: id, label: `The ${id}` })),
    ]);
  unplug(id: string) {
    this.plugged = this.plugged.filter((each) => each !== id);
    for (const track of this.opened) if (track.id === id) track.dispatchEvent(new Event('ended'));
    this.dispatchEvent(new Event('devicechange'));
  }
  plug(id: string) {
    this.plugged.push(id);
    this.dispatchEvent(new Event('devicechange'));
  }
  live = () => this.opened.filter(({ isStopped }) => !isStopped).map(({ id }) => id);
}

const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

async function open(...plugged: string[]) {
  const media = new FakeMedia(...plugged);
  const heard = new Set<string>();
  const microphone = await openMicrophone(media, (stream) => {
    const id = String(stream.getAudioTracks()[0]?.id);
    heard.add(id);
    return Promise.resolve(() => void heard.delete(id));
  });
  return { media, microphone, heard };
}

describe('the microphone of a web call', () => {
  test('is the choice of the browser, beside the others by their names', async () => {
    const { microphone } = await open('headset', 'laptop');
    expect(microphone.get()).toEqual({
      devices: [
        { id: 'headset', label: 'The headset' },
        { id: 'laptop', label: 'The laptop' },
      ],
      current: 'headset',
      trouble: null,
    });
  });

  test('is changed while it is heard, and the one before is let go', async () => {
    const { media, microphone, heard } = await open('headset', 'laptop');
    await microphone.choose('laptop');
    expect(microphone.get()).toMatchObject({ current: 'laptop', trouble: null });
    expect([...heard]).toEqual(['laptop']);
    expect(media.live()).toEqual(['laptop']);
  });

  test('goes on when another one cannot be opened, and says so', async () => {
    const { media, microphone, heard } = await open('headset', 'laptop');
    media.broken.add('laptop');
    await microphone.choose('laptop');
    expect(microphone.get()).toMatchObject({
      current: 'headset',
      trouble: { is: 'refused', label: 'The laptop' },
    });
    expect([...heard]).toEqual(['headset']);
  });

  test('that is unplugged is replaced by what is left, and says so', async () => {
    const { media, microphone, heard } = await open('headset', 'laptop');
    media.unplug('headset');
    await settled();
    expect(microphone.get()).toEqual({
      devices: [{ id: 'laptop', label: 'The laptop' }],
      current: 'laptop',
      trouble: { is: 'gone', label: 'The headset' },
    });
    expect([...heard]).toEqual(['laptop']);
    expect(media.live()).toEqual(['laptop']);
  });

  test('that was the last one is missed until one is plugged in', async () => {
    const { media, microphone, heard } = await open('headset');
    media.unplug('headset');
    await settled();
    expect(microphone.get()).toMatchObject({ current: null, trouble: { is: 'gone' } });
    expect([...heard]).toEqual([]);
    media.plug('laptop');
    await settled();
    expect(microphone.get()).toMatchObject({ current: 'laptop', trouble: null });
    expect([...heard]).toEqual(['laptop']);
  });

  test('a device that opens late does not replace a later choice', async () => {
    const { media, microphone, heard } = await open('headset', 'laptop', 'desk');
    let go: () => void = () => undefined;
    media.slow = { id: 'laptop', opens: new Promise((resolve) => (go = resolve)) };
    const early = microphone.choose('laptop');
    await microphone.choose('desk');
    go();
    await early;
    expect(microphone.get().current).toBe('desk');
    expect(media.live()).toEqual(['desk']);
    expect([...heard]).toEqual(['desk']);
  });

  test('that is closed lets go of the device, also of one that opens afterwards', async () => {
    const { media, microphone, heard } = await open('headset', 'laptop');
    let go: () => void = () => undefined;
    media.slow = { id: 'laptop', opens: new Promise((resolve) => (go = resolve)) };
    const late = microphone.choose('laptop');
    microphone.close();
    go();
    await late;
    expect(media.live()).toEqual([]);
    expect([...heard]).toEqual([]);
  });

  test('that is refused is an error', async () => {
    await expect(open()).rejects.toThrow('Requested device not found');
  });
});
