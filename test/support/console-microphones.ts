import type { Page } from 'playwright-core';
import { z } from 'zod';

/**
 * A browser with a headset and a laptop's microphone, in front of a service that understands speech. They are silent
 * until `hum()`; `unplug(id)` takes one away.
 */
const microphones = `
  const names = { headset: 'Headset', laptop: 'Laptop' };
  const plugged = Object.keys(names);
  const opened = [];
  const media = Object.assign(new EventTarget(), {
    enumerateDevices: async () =>
      plugged.map((id) => ({ kind: 'audioinput', deviceId: id, label: names[id] })),
    getUserMedia: async ({ audio }) => {
      const id = audio.deviceId?.exact ?? plugged[0];
      if (id === undefined) throw new DOMException('There is no microphone', 'NotFoundError');
      const context = new AudioContext();
      const out = context.createMediaStreamDestination();
      const volume = new GainNode(context, { gain: 0 });
      const tone = new OscillatorNode(context);
      tone.connect(volume).connect(out);
      tone.start();
      const [track] = out.stream.getAudioTracks();
      track.getSettings = () => ({ deviceId: id });
      Object.defineProperty(track, 'label', { value: names[id] });
      opened.push({ id, track, volume });
      return out.stream;
    },
  });
  Object.defineProperty(navigator, 'mediaDevices', { value: media });
  window.hum = () => opened.forEach(({ volume }) => (volume.gain.value = 0.003));
  window.unplug = (id) => {
    plugged.splice(plugged.indexOf(id), 1);
    for (const each of opened) if (each.id === id) each.track.dispatchEvent(new Event('ended'));
  };
`;

const Health = z.looseObject({ simulated: z.looseObject({ stt: z.boolean() }) });

/** Says to the page, when it is opened again, that the service understands speech. */
export async function withEars(page: Page): Promise<void> {
  await page.route('**/api/v1/health', async (route) => {
    const answer = await route.fetch();
    const health = Health.parse(await answer.json());
    await route.fulfill({
      response: answer,
      json: { ...health, simulated: { ...health.simulated, stt: false } },
    });
  });
}

/** Opens the page again with two microphones. */
export async function withMicrophones(page: Page): Promise<void> {
  await page.addInitScript(microphones);
  await withEars(page);
  await page.reload();
}
