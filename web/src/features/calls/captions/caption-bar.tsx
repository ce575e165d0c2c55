import type { Call } from '@asterism/sdk';
import { useCallback } from 'react';
import { useCallCaptions } from '../../../data/stream.ts';
import { useExpiringList } from '../state/use-expiring-list.ts';
import { i18n } from '../../../i18n/i18n.ts';
import './captions.css';

/** How long a caption is shown, and the maximum at once. */
const SHOWN_MS = 7_000;
const MAX_AT_ONCE = 3;

/**
 * Captions of speakers who have them transcribed. Hidden from screen readers, whose users hear the speakers themselves.
 */
export function CaptionBar({ call }: { call: Call }) {
  const [seen, show] = useExpiringList<{ participant_id: string; text: string }>(SHOWN_MS);
  const onCaption = useCallback((participant_id: string, text: string) => show({ participant_id, text }), [show]);
  useCallCaptions(call.join_code, onCaption);
  if (seen.length === 0) return null;
  const nameOfPart = (id: string) => call.participants.find((one) => one.id === id)?.name ?? '';
  return (
    <div className="captions" role="region" aria-label={i18n.t('Captions')} aria-live="off">
      {seen.slice(-MAX_AT_ONCE).map(({ key, participant_id, text }) => (
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
