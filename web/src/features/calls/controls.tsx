import type { Call } from '@asterism/sdk';
import { useLocalParticipant } from '@livekit/components-react';
import { MessageSquare, Mic, MicOff, MonitorUp, MonitorX, Video, VideoOff } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import type { Source } from './state/wanted-sources.ts';
import { DeviceMenu } from './media/device-menu.tsx';
import { ReactMenu } from './react-menu.tsx';
import { HangUp } from './hang-up.tsx';
import { i18n } from '../../i18n/i18n.ts';

interface SwitchProps {
  icon: LucideIcon;
  label: string;
  /** A word of the label, for where there is no room for all of it. */
  short?: string;
  off?: boolean;
  onPress: () => void;
}

/** What stands below the sign of a button, which is named by all of it. */
function Caption({ label, short = label }: Pick<SwitchProps, 'label' | 'short'>) {
  return (
    <>
      <span className="wide-only">{label}</span>
      <span className="narrow-only">{short}</span>
    </>
  );
}

function Switch({ icon: Icon, label, short, off = false, onPress }: SwitchProps) {
  return (
    <button type="button" className="call-button" aria-label={label} data-off={off ? '' : undefined} onClick={onPress}>
      <Icon aria-hidden="true" />
      <Caption label={label} short={short} />
    </button>
  );
}

interface ControlsProps {
  call: Call;
  user_id: string | undefined;
  is_host: boolean;
  /** Whether the chat and the list of people are shown. */
  side_shown: boolean;
  /** How many messages came while they were not. */
  unread_count: number;
  onSide: () => void;
  onSwitch: (source: Source, on: boolean) => void;
  onLeave: () => void;
  onEnd: () => void;
}

/** What one does in a call; each button is named after what pressing it does. */
export function Controls(props: ControlsProps) {
  const { call, user_id, is_host, side_shown, unread_count, onSide, onSwitch, onLeave, onEnd } = props;
  const { isMicrophoneEnabled, isCameraEnabled, isScreenShareEnabled } = useLocalParticipant();
  const side_label = side_shown ? i18n.t('Hide chat') : i18n.t('Show chat');
  const can_share = typeof navigator.mediaDevices?.getDisplayMedia === 'function';
  return (
    <div className="call-controls" role="group" aria-label={i18n.t('Your devices')}>
      <Switch
        icon={isMicrophoneEnabled ? Mic : MicOff}
        label={isMicrophoneEnabled ? i18n.t('Mute') : i18n.t('Unmute')}
        off={!isMicrophoneEnabled}
        onPress={() => onSwitch('microphone', !isMicrophoneEnabled)}
      />
      <Switch
        icon={isCameraEnabled ? Video : VideoOff}
        label={isCameraEnabled ? i18n.t('Stop camera') : i18n.t('Start camera')}
        short={i18n.t('Camera')}
        off={!isCameraEnabled}
        onPress={() => onSwitch('camera', !isCameraEnabled)}
      />
      {can_share ? (
        <Switch
          icon={isScreenShareEnabled ? MonitorX : MonitorUp}
          label={isScreenShareEnabled ? i18n.t('Stop sharing') : i18n.t('Share screen')}
          short={i18n.t('Share')}
          onPress={() => onSwitch('screen', !isScreenShareEnabled)}
        />
      ) : null}
      <ReactMenu call={call} user_id={user_id} />
      <DeviceMenu />
      <button
        type="button"
        className="call-button"
        aria-expanded={side_shown}
        aria-controls="call-side"
        aria-label={side_label}
        onClick={onSide}
      >
        <span className="nav-icon">
          <MessageSquare aria-hidden="true" />
          <Badge count={unread_count} what={i18n.t('new messages')} />
        </span>
        <Caption label={side_label} short={i18n.t('Chat')} />
      </button>
      <button type="button" className="call-button call-leave" onClick={onLeave}>
        <HangUp aria-hidden="true" />
        <span>{i18n.t('Leave')}</span>
      </button>
      {is_host ? (
        <Confirm
          trigger={
            <button type="button" className="call-button call-end">
              <HangUp aria-hidden="true" />
              <span>{i18n.t('End for all')}</span>
            </button>
          }
          title={i18n.t('End this for everyone?')}
          text={i18n.t('Everyone leaves the call, and its link stops working.')}
          action={i18n.t('End it')}
          onConfirm={onEnd}
        />
      ) : null}
    </div>
  );
}
