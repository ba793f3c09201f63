import '../../styles/versions.css';
import { Maximize, Minus, Plus } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { percent } from '../../app/format.ts';
import { t } from '../../app/words.ts';
import { IconButton } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { type Mark, nodeSize, type Picture } from './picture.ts';

const signs: Record<Mark, string> = { added: '+', removed: '–', changed: '~', moved: '', same: '' };
const minZoom = 0.3;
/** Below it only names are drawn, large enough to be read. */
const farZoom = 0.6;
const maxZoom = 1.5;
/** Room for the buttons below the graph. */
const zoomBar = 32;

/** Two versions in one graph: only what changed has color. */
export function VersionCanvas({
  picture: { nodes, edges, width, height },
  label,
  lines,
  selected,
  onSelect,
}: {
  picture: Picture;
  label: string;
  /** What changed in a node, in a line. */
  lines: ReadonlyMap<string, string>;
  /** `node …` or `edge …`. */
  selected: string | null;
  onSelect: (key: string) => void;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const fit = () => {
    const { clientWidth = width, clientHeight = height } = frame.current ?? {};
    setZoom(Math.min(1, Math.max(minZoom, Math.min(clientWidth / width, (clientHeight - zoomBar) / height))));
  };
  useLayoutEffect(fit, [width, height]);
  useEffect(() => {
    if (selected === null) return;
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    // Only the canvas scrolls: on a phone the page itself stays at what was chosen.
    const box = frame.current?.getBoundingClientRect();
    const node = frame.current
      ?.querySelector(`[data-key="${CSS.escape(selected)}"]`)
      ?.getBoundingClientRect();
    if (box === undefined || node === undefined) return;
    frame.current?.scrollBy({
      left: node.x + node.width / 2 - (box.x + box.width / 2),
      top: node.y + node.height / 2 - (box.y + box.height / 2),
      behavior: isCalm ? 'auto' : 'smooth',
    });
  }, [selected]);
  return (
    <div className="version-canvas">
      <div className="version-scroll" ref={frame} role="region" aria-label={label} tabIndex={0}>
        <div style={{ width: width * zoom, height: height * zoom }}>
          <div
            className={cx('version-graph', zoom < farZoom && 'is-far')}
            style={{ width, height, transform: `scale(${zoom})` }}
          >
            <svg width={width} height={height} aria-hidden>
              <defs>
                {(['same', 'added', 'removed', 'changed'] as const).map((mark) => (
                  <marker
                    key={mark}
                    id={`end-${mark}`}
                    viewBox="0 0 8 8"
                    refX="6"
                    refY="4"
                    markerWidth="8"
                    markerHeight="8"
                    markerUnits="userSpaceOnUse"
                    orient="auto"
                  >
                    <path d="M0 0 8 4 0 8z" className={`tip is-${mark}`} />
                  </marker>
                ))}
              </defs>
              {edges.map(({ id, path, mark }) => (
                <path
                  key={id}
                  d={path}
                  className={cx('diff-way', `is-${mark}`, selected === `edge ${id}` && 'is-selected')}
                  markerEnd={`url(#end-${mark === 'moved' ? 'same' : mark})`}
                />
              ))}
            </svg>
            {edges.map(({ id, label: words, mark, x, y }) => (
              <span
                key={id}
                data-key={`edge ${id}`}
                className={cx('diff-label', `is-${mark}`, selected === `edge ${id}` && 'is-selected')}
                style={{ left: x, top: y }}
              >
                {signs[mark] !== '' && <b aria-hidden>{signs[mark]}</b>} {words}
              </span>
            ))}
            {nodes.map(({ id, name, text, mark, x, y }) => {
              const style = { left: x, top: y, width: nodeSize.width, height: nodeSize.height };
              const look = cx('card-node', `is-${mark}`, selected === `node ${id}` && 'is-selected');
              const content = (
                <>
                  <b className="cut">{name}</b>
                  <span className="said">{text}</span>
                  <span className="line cut">{lines.get(id) ?? ''}</span>
                  {signs[mark] !== '' && (
                    <span className="sign" aria-hidden>
                      {signs[mark]}
                    </span>
                  )}
                </>
              );
              return lines.has(id) ? (
                <button
                  key={id}
                  type="button"
                  // The list of changes does the same by keyboard.
                  tabIndex={-1}
                  data-key={`node ${id}`}
                  className={look}
                  style={style}
                  onClick={() => onSelect(`node ${id}`)}
                >
                  {content}
                </button>
              ) : (
                <div key={id} data-key={`node ${id}`} className={look} style={style}>
                  {content}
                </div>
              );
            })}
          </div>
        </div>
      </div>
      <div className="version-zoom">
        <IconButton
          icon={Minus}
          label={t('versions.zoomOut')}
          onPress={() => setZoom(Math.max(minZoom, zoom / 1.25))}
        />
        <span className="num text-12 text-muted">{percent(zoom)}</span>
        <IconButton
          icon={Plus}
          label={t('versions.zoomIn')}
          onPress={() => setZoom(Math.min(maxZoom, zoom * 1.25))}
        />
        <IconButton icon={Maximize} label={t('versions.fit')} onPress={fit} />
      </div>
    </div>
  );
}
