import type { Call } from '@asterism/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useCallCaptions } from '../../realtime/stream-context.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import './captions.css';

/** How long a caption is seen, and how many at once. */
const SHOWN_MS = 7_000;
const MOST_AT_ONCE = 3;

interface Seen {
  readonly key: number;
  readonly participant_id: string;
  readonly text: string;
}

/**
 * What is said in the call, as far as its speakers have it written down. It is for the eye: a screen reader hears the people
 * themselves, and is not talked over.
 */
export function CaptionBar({ call }: { call: Call }) {
  const [seen, setSeen] = useState<readonly Seen[]>([]);
  const count = useRef(0);
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const running = timers.current;
    return () => running.forEach((timer) => clearTimeout(timer));
  }, []);
  const onCaption = useCallback((participant_id: string, text: string) => {
    const key = ++count.current;
    setSeen((before) => [...before, { key, participant_id, text }].slice(-MOST_AT_ONCE));
    const timer = setTimeout(() => {
      timers.current.delete(timer);
      setSeen((before) => before.filter((one) => one.key !== key));
    }, SHOWN_MS);
    timers.current.add(timer);
  }, []);
  useCallCaptions(call.join_code, onCaption);
  if (seen.length === 0) return null;
  const nameOfPart = (id: string) => call.participants.find((one) => one.id === id)?.name ?? '';
  return (
    <div className="captions" role="region" aria-label={i18n.t('Captions')} aria-live="off">
      {seen.map(({ key, participant_id, text }) => (
        <p key={key}>
          <b>
            <bdi>{nameOfPart(participant_id)}</bdi>
          </b>{' '}
          <span dir="auto">{text}</span>
        </p>
      ))}
    </div>
  );
}
