import { WifiOff } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStreamState } from '../../data/stream.ts';
import { useOnline } from '../../ui/hooks/use-online.ts';
import { i18n } from '../../i18n/i18n.ts';

/** Shorter interruptions are not shown. */
const SAID_AFTER_MS = 1_500;

/** Sets `--notice` to the height of the notice, for which full-height pages leave room; its text may wrap. */
function useNoticeHeight() {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty('--notice', `${element.offsetHeight}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty('--notice');
    };
  }, []);
  return place;
}

/** Shows a notice while the stream is disconnected, and another when it is connected again. */
export function ConnectionNotice() {
  const is_online = useOnline();
  const state = useStreamState();
  const is_broken = !is_online || state === 'waiting';
  const is_well = is_online && state === 'open';
  const [shown, setShown] = useState<'no' | 'broken' | 'back'>('no');
  useEffect(() => {
    if (is_broken) {
      const timer = setTimeout(() => setShown('broken'), is_online ? SAID_AFTER_MS : 0);
      return () => clearTimeout(timer);
    }
    if (!is_well) return;
    setShown((before) => (before === 'broken' ? 'back' : before));
    const timer = setTimeout(() => setShown('no'), 4_000);
    return () => clearTimeout(timer);
  }, [is_broken, is_well, is_online]);
  const place = useNoticeHeight();
  return (
    <div ref={place} role="status" className="connection">
      {shown === 'broken' ? (
        <p>
          <WifiOff aria-hidden="true" size={18} />
          {is_online
            ? i18n.t('No connection to Asterism. Trying again…')
            : i18n.t('You are offline. What you see may be out of date.')}
        </p>
      ) : null}
      {shown === 'back' ? <p data-tone="ok">{i18n.t('You are connected again.')}</p> : null}
    </div>
  );
}
