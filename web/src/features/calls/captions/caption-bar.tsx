import type { Call } from '@asterism/sdk';
import { useCallback } from 'react';
import { useCallCaptions } from '../../../data/stream.ts';
import { useExpiringList } from '../state/use-expiring-list.ts';
import { i18n } from '../../../i18n/i18n.ts';
import './captions.css';

/** How long a caption is shown, and the maximum at once. */
const SHOWN_MS = 7_000;
const MAX_AT_ONCE = 3;

interface Said {
  readonly key: number;
  readonly participant_id: string;
  readonly text: string;
}

/** What one speaker said in succession, as one paragraph under their name. */
function groupBySpeaker(said: readonly Said[]): Said[] {
  const runs: Said[] = [];
  for (const one of said) {
    const last = runs.at(-1);
    if (last?.participant_id === one.participant_id) runs.splice(-1, 1, { ...last, text: `${last.text} ${one.text}` });
    else runs.push(one);
  }
  return runs;
}

/**
 * Captions of speakers who have them transcribed, below the tiles, of which they cover none. Hidden from screen readers,
 * whose users hear the speakers themselves.
 * @param is_kept whether their place is kept while nobody speaks, so that tiles do not change their size with every pause
 */
export function CaptionBar({ call, is_kept }: { call: Call; is_kept: boolean }) {
  const [seen, show] = useExpiringList<{ participant_id: string; text: string }>(SHOWN_MS);
  const onCaption = useCallback((participant_id: string, text: string) => show({ participant_id, text }), [show]);
  useCallCaptions(call.join_code, onCaption);
  if (seen.length === 0) return is_kept ? <div className="captions" /> : null;
  const nameOfPart = (id: string) => call.participants.find((one) => one.id === id)?.name ?? '';
  return (
    <div className="captions" role="region" aria-label={i18n.t('Captions')} aria-live="off">
      {groupBySpeaker(seen.slice(-MAX_AT_ONCE)).map(({ key, participant_id, text }) => (
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
