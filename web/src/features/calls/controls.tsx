import { useLocalParticipant } from '@livekit/components-react';
import { Mic, MicOff, MonitorUp, MonitorX, PhoneOff, Video, VideoOff } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { Confirm } from '../../ui/confirm.tsx';
import type { Source } from './devices.ts';
import { DeviceMenu } from './device-menu.tsx';

interface SwitchProps {
  icon: LucideIcon;
  label: string;
  off?: boolean;
  onPress: () => void;
}

function Switch({ icon: Icon, label, off = false, onPress }: SwitchProps) {
  return (
    <button type="button" className="call-button" data-off={off ? '' : undefined} onClick={onPress}>
      <Icon aria-hidden="true" />
      <span>{label}</span>
    </button>
  );
}

interface ControlsProps {
  is_host: boolean;
  onSwitch: (source: Source, on: boolean) => void;
  onLeave: () => void;
  onEnd: () => void;
}

/** What one does in a call; each button is named after what pressing it does. */
export function Controls({ is_host, onSwitch, onLeave, onEnd }: ControlsProps) {
  const { isMicrophoneEnabled, isCameraEnabled, isScreenShareEnabled } = useLocalParticipant();
  const can_share = typeof navigator.mediaDevices?.getDisplayMedia === 'function';
  return (
    <div className="call-controls" role="group" aria-label="Your devices">
      <Switch
        icon={isMicrophoneEnabled ? Mic : MicOff}
        label={isMicrophoneEnabled ? 'Mute' : 'Unmute'}
        off={!isMicrophoneEnabled}
        onPress={() => onSwitch('microphone', !isMicrophoneEnabled)}
      />
      <Switch
        icon={isCameraEnabled ? Video : VideoOff}
        label={isCameraEnabled ? 'Stop camera' : 'Start camera'}
        off={!isCameraEnabled}
        onPress={() => onSwitch('camera', !isCameraEnabled)}
      />
      {can_share ? (
        <Switch
          icon={isScreenShareEnabled ? MonitorX : MonitorUp}
          label={isScreenShareEnabled ? 'Stop sharing' : 'Share screen'}
          onPress={() => onSwitch('screen', !isScreenShareEnabled)}
        />
      ) : null}
      <DeviceMenu />
      <button type="button" className="call-button call-leave" onClick={onLeave}>
        <PhoneOff aria-hidden="true" />
        <span>Leave</span>
      </button>
      {is_host ? (
        <Confirm
          trigger={
            <button type="button" className="call-button call-end">
              <PhoneOff aria-hidden="true" />
              <span>End for all</span>
            </button>
          }
          title="End this for everybody?"
          text="Everybody who is in is put out, and the join link stops working."
          action="End it"
          onConfirm={onEnd}
        />
      ) : null}
    </div>
  );
}
