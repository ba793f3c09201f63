/** How wide the panel beside the graph may be, in CSS pixels. */
export interface PanelLimits {
  min: number;
  max: number;
  /** Before the person has chosen. */
  usual: number;
}

/** What the graph keeps beside the panel. */
const leastGraph = 400;
const step = 16;

export function panelLimits(windowWidth: number): PanelLimits {
  const min = 320;
  const max = Math.max(min, Math.min(800, windowWidth - leastGraph));
  return { min, max, usual: Math.min(max, windowWidth < 1100 ? 360 : 420) };
}

/** The chosen width as far as the window allows it. */
export const panelWidth = (chosen: number | null, { min, max, usual }: PanelLimits): number =>
  Math.round(Math.min(max, Math.max(min, chosen ?? usual)));

/**
 * The width after a key on the edge of the panel; null for any other key. An arrow moves the edge its way: the panel
 * is at the right, and at the left of a mirrored page.
 */
export function widthAfter(
  key: string,
  width: number,
  { limits, isMirrored }: { limits: PanelLimits; isMirrored: boolean },
): number | null {
  const [wider, narrower] = isMirrored ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight'];
  if (key === wider) return panelWidth(width + step, limits);
  if (key === narrower) return panelWidth(width - step, limits);
  if (key === 'Home') return limits.min;
  return key === 'End' ? limits.max : null;
}
