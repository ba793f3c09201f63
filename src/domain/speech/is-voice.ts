/** Root mean square, of 32,768: speech over a telephone is well above, the noise of a line below. */
const voiceRms = 400;

/** Whether a frame is loud enough to be somebody's voice. Coarse on purpose: turn taking has a better one. */
export function isVoice(frame: Int16Array): boolean {
  let sum = 0;
  for (const sample of frame) sum += sample * sample;
  return sum > voiceRms * voiceRms * frame.length;
}
