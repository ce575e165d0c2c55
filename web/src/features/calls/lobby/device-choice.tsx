import { Volume2 } from 'lucide-react';
import { SelectField } from '../../../ui/form.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { canBlur } from '../effects/blur-track.ts';
import { DEVICE_KINDS } from '../media/device-kinds.ts';
import type { Choices } from '../../../media/saved-choices.ts';
import { playTestTone } from '../incoming/ring-tone.ts';
import { i18n } from '../../../i18n/i18n.ts';

interface DeviceChoiceProps {
  devices: readonly MediaDeviceInfo[] | undefined;
  choices: Choices;
  onChoose: (part: Partial<Choices>) => void;
}

/** Whether a kind of device is listed, or may be once the list is read: the page does not shift then. */
const mayExist = (kind: MediaDeviceKind, devices: readonly MediaDeviceInfo[] | undefined) =>
  devices === undefined
    ? kind !== 'audiooutput' || 'setSinkId' in HTMLMediaElement.prototype
    : devices.some((device) => device.kind === kind);

/** Selects for the devices of each kind, and a tone that tests the speaker. */
export function DeviceChoice({ devices, choices, onChoose }: DeviceChoiceProps) {
  return (
    <div className="lobby-devices">
      {DEVICE_KINDS.map(({ kind, label }) => {
        if (!mayExist(kind, devices)) return null;
        const known = devices?.filter((device) => device.kind === kind && device.deviceId !== '') ?? [];
        const chosen = known.some(({ deviceId }) => deviceId === choices[kind]) ? choices[kind] : known[0]?.deviceId;
        return (
          <SelectField
            key={kind}
            label={label}
            value={chosen ?? ''}
            disabled={known.length === 0}
            onChange={(event) => onChoose({ [kind]: event.target.value })}
          >
            {known.length === 0 ? <option value="">{i18n.t('System default')}</option> : null}
            {known.map((device, at) => (
              <option key={device.deviceId} value={device.deviceId}>
                {device.label || `${label} ${at + 1}`}
              </option>
            ))}
          </SelectField>
        );
      })}
      <button
        type="button"
        className="button plain"
        onClick={() => void playTestTone(choices.audiooutput).catch(() => undefined)}
      >
        <Volume2 aria-hidden="true" />
        {i18n.t('Test the speaker')}
      </button>
    </div>
  );
}

/** Background blur and noise suppression. */
export function EffectSwitches({ choices, onChoose }: Omit<DeviceChoiceProps, 'devices'>) {
  const { is_blurred, suppresses_noise } = choices;
  return (
    <div>
      {canBlur() ? (
        <Switch
          label={i18n.t('Blur my background')}
          on={is_blurred}
          onSwitch={() => onChoose({ is_blurred: !is_blurred })}
        />
      ) : null}
      <Switch
        label={i18n.t('Noise suppression')}
        hint={i18n.t('Reduces background noise for the others.')}
        on={suppresses_noise}
        onSwitch={() => onChoose({ suppresses_noise: !suppresses_noise })}
      />
    </div>
  );
}
