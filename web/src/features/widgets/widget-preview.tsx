import { useEffect, useRef, useState } from 'react';
import { useSize } from '../../ui/hooks/use-size.ts';
import type { WidgetDraft } from './widget-draft.ts';
import { frameSettingsOf } from './widget-draft.ts';
import { i18n } from '../../i18n/i18n.ts';

/** The size of the preview's page: room for an open widget and some of the page around it. */
const PAGE = { width: 440, height: 660 };

interface Placement {
  open: boolean;
  width: number;
  height: number;
  side: 'left' | 'right';
}

/** Sends the frame its settings, and receives the size that it requests, like the script in an embedding page. */
function useFrame(draft: WidgetDraft) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [placement, setPlacement] = useState<Placement>();
  const [is_ready, setReady] = useState(false);
  const is_open = useRef(true);
  useEffect(() => {
    const onMessage = ({ source, origin, data }: MessageEvent<({ type?: string } & Placement) | null>) => {
      if (source !== frame.current?.contentWindow || origin !== location.origin) return;
      if (data?.type === 'asterism:ready') setReady(true);
      if (data?.type !== 'asterism:place') return;
      is_open.current = data.open;
      setPlacement(data);
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, []);
  const settings = JSON.stringify(frameSettingsOf(draft));
  useEffect(() => {
    if (!is_ready) return;
    const shown = { type: 'asterism:settings', settings: JSON.parse(settings) as unknown, open: is_open.current };
    frame.current?.contentWindow?.postMessage(shown, location.origin);
  }, [is_ready, settings]);
  return { frame, placement };
}

/** Escape closes the sheet around the preview also while the focus is in its frame. */
function passEscape({ key }: KeyboardEvent): void {
  if (key === 'Escape') document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
}

/** The widget with its unsaved settings, in its real frame, which sends nothing to the service. */
export function WidgetPreview({ draft }: { draft: WidgetDraft }) {
  const { frame, placement } = useFrame(draft);
  const page = useRef<HTMLDivElement>(null);
  const scale = Math.min(1, (useSize(page)?.width ?? PAGE.width) / PAGE.width);
  const { width = 0, height = 0, side = 'right' } = placement ?? {};
  return (
    <figure className="widget-preview">
      <figcaption className="small soft">{i18n.t('Preview')}</figcaption>
      <div ref={page} className="preview-page" style={{ height: PAGE.height * scale }}>
        <div className="preview-host" style={{ ...PAGE, width: PAGE.width, transform: `scale(${scale})` }}>
          <div className="preview-lines" aria-hidden="true">
            <i />
            <i />
            <i />
          </div>
          <iframe
            ref={frame}
            title={i18n.t('Preview')}
            src="/w/preview"
            width={width}
            height={height}
            style={{ [side]: 0 }}
            onLoad={({ currentTarget }) => currentTarget.contentWindow?.addEventListener('keydown', passEscape)}
          />
        </div>
      </div>
    </figure>
  );
}
