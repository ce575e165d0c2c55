import type { Participant } from 'livekit-client';
import { SignalHigh, SignalLow, SignalMedium, WifiOff } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useQuality } from '../state/measure-quality.ts';
import type { Quality } from '../state/measure-quality.ts';
import { useIsConnected } from '../state/use-is-connected.ts';
import { i18n } from '../../../i18n/i18n.ts';

const MARKS: Readonly<Record<Quality, { icon: LucideIcon; words: string }>> = {
  good: {
    icon: SignalHigh,
    get words() {
      return i18n.t('Connection good');
    },
  },
  fair: {
    icon: SignalMedium,
    get words() {
      return i18n.t('Connection fair');
    },
  },
  poor: {
    icon: SignalLow,
    get words() {
      return i18n.t('Connection poor');
    },
  },
  lost: {
    icon: WifiOff,
    get words() {
      return i18n.t('Connection lost');
    },
  },
};

/**
 * What is known of a connection: while the reader has none, their own is lost, and those of others are unknown. Before the
 * first connection nothing is known.
 */
function useShownQuality(participant: Participant): Quality | undefined {
  const quality = useQuality(participant);
  if (useIsConnected()) return quality;
  return participant.isLocal && quality !== undefined ? 'lost' : undefined;
}

/** Connection quality as bars; nothing while it is unknown. */
export function QualityMark({ participant }: { participant: Participant }) {
  const quality = useShownQuality(participant);
  if (quality === undefined) return null;
  const { icon: Icon, words } = MARKS[quality];
  return (
    <span className="tile-mark" data-quality={quality} title={words}>
      <Icon aria-hidden="true" size={15} />
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
