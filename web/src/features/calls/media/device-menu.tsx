import { useMediaDeviceSelect, useRoomContext } from '@livekit/components-react';
import { Settings2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { MenuTick } from '../../../ui/overlay/menu-item-parts.tsx';
import { useState } from 'react';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { useMenu } from '../../../ui/overlay/use-menu.ts';
import { canBlur } from '../effects/blur-track.ts';
import { setBlur, setNoiseSuppression } from '../effects/room-effects.ts';
import { DEVICE_KINDS } from './device-kinds.ts';
import { saveChoices, readChoices } from '../../../media/saved-choices.ts';
import { i18n } from '../../../i18n/i18n.ts';

function Devices({ kind, label }: { kind: MediaDeviceKind; label: string }) {
  const { devices, activeDeviceId, setActiveMediaDevice } = useMediaDeviceSelect({ kind, requestPermissions: false });
  const named = devices.filter((device) => device.deviceId !== '');
  if (named.length === 0) return null;
  return (
    <DropdownMenu.RadioGroup
      value={activeDeviceId}
      onValueChange={(id) => {
        saveChoices({ [kind]: id });
        setActiveMediaDevice(id).catch((error: unknown) => showToast(describeProblem(error)));
      }}
    >
      <DropdownMenu.Label className="menu-label">{label}</DropdownMenu.Label>
      {named.map((device) => (
        <DropdownMenu.RadioItem key={device.deviceId} value={device.deviceId} className="menu-item">
          <MenuTick />
          {device.label || label}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

interface EffectProps {
  label: string;
  /** Whether it is on when the menu opens. */
  on: boolean;
  onSwitch: (on: boolean) => Promise<void>;
}

function Effect({ label, on: first, onSwitch }: EffectProps) {
  const [on, setOn] = useState(first);
  const [is_pending, setPending] = useState(false);
  const change = async (next: boolean) => {
    if (is_pending) return;
    setPending(true);
    setOn(next);
    try {
      await onSwitch(next);
    } catch {
      setOn(!next);
      showToast(
        next
          ? i18n.t('Couldn’t turn on “{label}”. Try again.', { label })
          : i18n.t('Couldn’t turn off “{label}”. Try again.', { label }),
      );
    } finally {
      setPending(false);
    }
  };
  return (
    <DropdownMenu.CheckboxItem
      className="menu-item"
      checked={on}
      aria-busy={is_pending}
      onCheckedChange={(next) => void change(next)}
      // The menu stays open, to show the new state.
      onSelect={(event) => event.preventDefault()}
    >
      <MenuTick />
      {label}
    </DropdownMenu.CheckboxItem>
  );
}

/** Background blur and noise suppression. */
function Effects() {
  const room = useRoomContext();
  const [{ is_blurred, suppresses_noise }] = useState(readChoices);
  return (
    <DropdownMenu.Group>
      <DropdownMenu.Label className="menu-label">{i18n.t('Audio and video')}</DropdownMenu.Label>
      {canBlur() ? (
        <Effect
          label={i18n.t('Blur my background')}
          on={is_blurred}
          onSwitch={async (on) => {
            await setBlur(room, on);
            saveChoices({ is_blurred: on });
          }}
        />
      ) : null}
      <Effect
        label={i18n.t('Noise suppression')}
        on={suppresses_noise}
        onSwitch={async (on) => {
          await setNoiseSuppression(room, on);
          saveChoices({ suppresses_noise: on });
        }}
      />
    </DropdownMenu.Group>
  );
}

/** Selects microphone, loudspeaker and camera, and their effects. */
export function DeviceMenu() {
  const menu = useMenu();
  return (
    <DropdownMenu.Root {...menu.root}>
      <DropdownMenu.Trigger {...menu.trigger} className="call-button">
        <Settings2 aria-hidden="true" />
        <span>{i18n.t('Devices')}</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content {...menu.content} className="menu" side="top" sideOffset={8} collisionPadding={12}>
          {DEVICE_KINDS.map((one) => (
            <Devices key={one.kind} {...one} />
          ))}
          <Effects />
          <DropdownMenu.Item className="menu-item" onSelect={() => undefined}>
            {i18n.t('Close')}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
