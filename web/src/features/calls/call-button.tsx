import { useLocalParticipant } from '@livekit/components-react';
import { Mic, MicOff, Video, VideoOff } from 'lucide-react';
import type { LucideProps } from 'lucide-react';
import type { ComponentType } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { i18n } from '../../i18n/i18n.ts';
import type { Source } from './state/wanted-sources.ts';

interface CallButtonProps {
  icon: ComponentType<LucideProps>;
  /** What pressing it does. */
  label: string;
  /** A shorter visible label for narrow windows. */
  short?: string | undefined;
  off?: boolean;
  /** Whether it is marked as going on, such as a shared screen. */
  is_on?: boolean;
  leaves?: boolean;
  /** Whether the panel that it opens is open; undefined for other buttons. */
  expanded?: boolean;
  /** The id of that panel. */
  controls?: string;
  onPress: () => void;
  /** The count over the icon, and what is counted. */
  badge?: { count: number; what: string };
}

/** The visible label, shorter in narrow windows. */
export function Label({ label, short }: Pick<CallButtonProps, 'label' | 'short'>) {
  if (short === undefined) return <span>{label}</span>;
  return (
    <>
      <span className="wide-only">{label}</span>
      <span className="narrow-only">{short}</span>
    </>
  );
}

/** A button in the controls of a call: an icon above its label. */
export function CallButton(props: CallButtonProps) {
  const {
    icon: Icon,
    label,
    short,
    off = false,
    is_on = false,
    leaves = false,
    expanded,
    controls,
    onPress,
    badge,
  } = props;
  return (
    <button
      type="button"
      className={leaves ? 'call-button call-leave' : 'call-button'}
      data-off={off ? '' : undefined}
      data-on={is_on ? '' : undefined}
      aria-label={short === undefined ? undefined : badge?.count ? `${label}, ${badge.count} ${badge.what}` : label}
      aria-expanded={expanded}
      aria-controls={controls}
      onClick={onPress}
    >
      {badge === undefined ? (
        <Icon aria-hidden="true" />
      ) : (
        <span className="nav-icon">
          <Icon aria-hidden="true" />
          <Badge {...badge} />
        </span>
      )}
      <Label label={label} short={short} />
    </button>
  );
}

interface DeviceButtonsProps {
  /** The visible label of the camera in narrow windows. */
  short_camera?: string;
  onSwitch: (source: Source, on: boolean) => void;
}

/** Switches microphone and camera. */
export function DeviceButtons({ short_camera, onSwitch }: DeviceButtonsProps) {
  const { isMicrophoneEnabled, isCameraEnabled } = useLocalParticipant();
  return (
    <>
      <CallButton
        icon={isMicrophoneEnabled ? Mic : MicOff}
        label={isMicrophoneEnabled ? i18n.t('Mute') : i18n.t('Unmute')}
        off={!isMicrophoneEnabled}
        onPress={() => onSwitch('microphone', !isMicrophoneEnabled)}
      />
      <CallButton
        icon={isCameraEnabled ? Video : VideoOff}
        label={isCameraEnabled ? i18n.t('Stop camera') : i18n.t('Start camera')}
        short={short_camera}
        off={!isCameraEnabled}
        onPress={() => onSwitch('camera', !isCameraEnabled)}
      />
    </>
  );
}
