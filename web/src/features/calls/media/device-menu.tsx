import { useMediaDeviceSelect } from '@livekit/components-react';
import { Check, Settings2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { describeProblem } from '../../../ui/problem.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { useMenu } from '../../../ui/overlay/use-menu.ts';
import { keepChoices } from '../state/kept-choices.ts';

const KINDS = [
  { kind: 'audioinput', label: 'Microphone' },
  { kind: 'audiooutput', label: 'Loudspeaker' },
  { kind: 'videoinput', label: 'Camera' },
] as const;

function Devices({ kind, label }: { kind: MediaDeviceKind; label: string }) {
  const { devices, activeDeviceId, setActiveMediaDevice } = useMediaDeviceSelect({ kind, requestPermissions: false });
  const named = devices.filter((device) => device.deviceId !== '');
  if (named.length === 0) return null;
  return (
    <DropdownMenu.RadioGroup
      value={activeDeviceId}
      onValueChange={(id) => {
        keepChoices({ [kind]: id });
        setActiveMediaDevice(id).catch((error: unknown) => showToast(describeProblem(error)));
      }}
    >
      <DropdownMenu.Label className="menu-label">{label}</DropdownMenu.Label>
      {named.map((device) => (
        <DropdownMenu.RadioItem key={device.deviceId} value={device.deviceId} className="menu-item">
          <span className="tick">
            <DropdownMenu.ItemIndicator>
              <Check aria-hidden="true" />
            </DropdownMenu.ItemIndicator>
          </span>
          {device.label || label}
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

/** Chooses among several microphones, loudspeakers and cameras. */
export function DeviceMenu() {
  const menu = useMenu();
  return (
    <DropdownMenu.Root {...menu.root}>
      <DropdownMenu.Trigger {...menu.trigger} className="call-button">
        <Settings2 aria-hidden="true" />
        <span>Devices</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content {...menu.content} className="menu" side="top" sideOffset={8} collisionPadding={12}>
          {KINDS.map((one) => (
            <Devices key={one.kind} {...one} />
          ))}
          <DropdownMenu.Item className="menu-item" onSelect={() => undefined}>
            Close
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
