import type { Call } from '@asterism/sdk';
import { useLocalParticipant } from '@livekit/components-react';
import { MessageSquare, MonitorUp, MonitorX } from 'lucide-react';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import type { Source } from './state/wanted-sources.ts';
import { CallButton, DeviceButtons, Label } from './call-button.tsx';
import { DeviceMenu } from './media/device-menu.tsx';
import { FlipButton } from './media/flip-camera.tsx';
import { ReactMenu } from './react-menu.tsx';
import { HangUp } from './hang-up.tsx';
import { i18n } from '../../i18n/i18n.ts';

interface ControlsProps {
  call: Call;
  is_host: boolean;
  /** Whether the chat and the participants are shown. */
  side_shown: boolean;
  /** The number of messages that arrived while they were hidden. */
  unread_count: number;
  onSide: () => void;
  onSwitch: (source: Source, on: boolean) => void;
  onLeave: () => void;
  /** Ends the call for everybody, as its host; undefined for participants who can never be host. */
  onEnd?: (() => void) | undefined;
}

/** What is asked before a call is ended for everybody. */
export const endQuestion = () => ({
  title: i18n.t('End the call for everyone?'),
  text: i18n.t('Everyone leaves the call, and its link stops working.'),
  action: i18n.t('End call'),
});

/** The controls of a call; each button is labelled with its action. */
export function Controls(props: ControlsProps) {
  const { call, is_host, side_shown, unread_count, onSide, onSwitch, onLeave, onEnd } = props;
  const { isScreenShareEnabled } = useLocalParticipant();
  const can_share = typeof navigator.mediaDevices?.getDisplayMedia === 'function';
  return (
    <div className="call-controls" role="group" aria-label={i18n.t('Your devices')}>
      <DeviceButtons short_camera={i18n.t('Camera')} onSwitch={onSwitch} />
      {can_share ? (
        <CallButton
          icon={isScreenShareEnabled ? MonitorX : MonitorUp}
          label={isScreenShareEnabled ? i18n.t('Stop sharing') : i18n.t('Share screen')}
          short={isScreenShareEnabled ? i18n.t('Stop') : i18n.t('Share')}
          is_on={isScreenShareEnabled}
          onPress={() => onSwitch('screen', !isScreenShareEnabled)}
        />
      ) : (
        // Telephones and tablets, which cannot share their screen.
        <FlipButton />
      )}
      <ReactMenu call={call} />
      <DeviceMenu />
      <CallButton
        icon={MessageSquare}
        label={side_shown ? i18n.t('Hide chat') : i18n.t('Show chat')}
        short={i18n.t('Chat')}
        expanded={side_shown}
        controls="call-side"
        onPress={onSide}
        badge={{
          count: unread_count,
          what: i18n.t('{count, plural, one {new message} other {new messages}}', { count: unread_count }),
        }}
      />
      <button type="button" className="call-button call-leave" onClick={onLeave}>
        <HangUp aria-hidden="true" />
        <span>{i18n.t('Leave')}</span>
      </button>
      {is_host && onEnd !== undefined ? (
        <Confirm
          trigger={
            <button type="button" className="call-button call-end" aria-label={i18n.t('End for all')}>
              <HangUp aria-hidden="true" />
              <Label label={i18n.t('End for all')} short={i18n.t('End')} />
            </button>
          }
          {...endQuestion()}
          onConfirm={onEnd}
        />
      ) : null}
    </div>
  );
}
