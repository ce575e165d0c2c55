import type { Participant } from 'livekit-client';
import { SignalHigh, SignalLow, SignalMedium, WifiOff } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useQuality } from '../state/measure-quality.ts';
import type { Quality } from '../state/measure-quality.ts';

const MARKS: Readonly<Record<Quality, { icon: LucideIcon; words: string }>> = {
  good: { icon: SignalHigh, words: 'Connection good' },
  fair: { icon: SignalMedium, words: 'Connection fair' },
  poor: { icon: SignalLow, words: 'Connection poor' },
  lost: { icon: WifiOff, words: 'Connection lost' },
};

/** How well somebody is connected, as bars; nothing before it is known. */
export function QualityMark({ participant }: { participant: Participant }) {
  const quality = useQuality(participant);
  if (quality === undefined) return null;
  const { icon: Icon, words } = MARKS[quality];
  return (
    <span className="tile-mark" data-quality={quality} title={words}>
      <Icon aria-hidden="true" size={15} />
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
