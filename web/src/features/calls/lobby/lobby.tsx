import { Mic, MicOff, Video, VideoOff } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { canBlur } from '../effects/blur-track.ts';
import { useBlurredPreview } from '../effects/use-blurred-preview.ts';
import { saveChoices, readChoices } from '../../../media/saved-choices.ts';
import type { Choices } from '../../../media/saved-choices.ts';
import type { Source } from '../state/wanted-sources.ts';
import { useDevice, useDeviceList } from '../media/use-preview.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { DeviceChoice, EffectSwitches } from './device-choice.tsx';
import { CameraPreview, DeviceProblem, MicrophoneLevel } from './device-check.tsx';
import './lobby.css';

interface DeviceSwitchProps {
  /** The label of the button. */
  words: { on: string; off: string };
  on: boolean;
  icons: { on: LucideIcon; off: LucideIcon };
  onSwitch: () => void;
}

function DeviceSwitch({ words, on, icons, onSwitch }: DeviceSwitchProps) {
  const Icon = on ? icons.on : icons.off;
  return (
    <button type="button" className="button quiet" aria-pressed={on} onClick={onSwitch}>
      <Icon aria-hidden="true" />
      {on ? words.on : words.off}
    </button>
  );
}

/** The devices as they will be used in the call, tested in private; choices are saved. */
export function useLobby() {
  const [choices, setChoices] = useState(readChoices);
  const onChoose = (part: Partial<Choices>) => {
    saveChoices(part);
    setChoices((known) => ({ ...known, ...part }));
  };
  return { choices, onChoose };
}

/** The sources that are on by the choices of the lobby. */
export const sourcesOf = (choices: Pick<Choices, 'microphone' | 'camera'>): Source[] =>
  (['microphone', 'camera'] as const).filter((source) => choices[source]);

/** The choices of the lobby as search parameters of the call's page. */
export const searchOf = ({ microphone, camera }: Pick<Choices, 'microphone' | 'camera'>) => ({
  microphone: microphone ? undefined : ('off' as const),
  camera: camera ? ('on' as const) : undefined,
});

/**
 * Previews camera and microphone, and lets the reader choose devices.
 * @param children actions, above the device selection, which few change
 */
export function Lobby({ choices, onChoose, children }: ReturnType<typeof useLobby> & { children?: ReactNode }) {
  const { suppresses_noise } = choices;
  const is_blurred = choices.is_blurred && canBlur();
  const microphone = useDevice('microphone', choices.microphone, { device_id: choices.audioinput, suppresses_noise });
  const camera = useDevice('camera', choices.camera, { device_id: choices.videoinput });
  const picture = useBlurredPreview(camera.stream, is_blurred, () => onChoose({ is_blurred: false }));
  const devices = useDeviceList(microphone.stream, camera.stream);
  return (
    <>
      <CameraPreview
        stream={picture}
        is_on={choices.camera && camera.problem === undefined}
        waiting={
          !choices.camera || camera.problem !== undefined
            ? i18n.t('Your camera is off')
            : camera.stream === undefined
              ? i18n.t('Your camera is starting…')
              : i18n.t('Blur is starting…')
        }
      />
      <div className="lobby-switches">
        <DeviceSwitch
          words={{ on: i18n.t('Microphone on'), off: i18n.t('Microphone off') }}
          on={choices.microphone && microphone.problem === undefined}
          icons={{ on: Mic, off: MicOff }}
          onSwitch={
            choices.microphone && microphone.problem !== undefined
              ? microphone.onAgain
              : () => onChoose({ microphone: !choices.microphone })
          }
        />
        <DeviceSwitch
          words={{ on: i18n.t('Camera on'), off: i18n.t('Camera off') }}
          on={choices.camera && camera.problem === undefined}
          icons={{ on: Video, off: VideoOff }}
          onSwitch={
            choices.camera && camera.problem !== undefined
              ? camera.onAgain
              : () => onChoose({ camera: !choices.camera })
          }
        />
      </div>
      {choices.microphone && microphone.problem === undefined ? <MicrophoneLevel stream={microphone.stream} /> : null}
      <DeviceProblem kind="microphone" tried={microphone} />
      <DeviceProblem kind="camera" tried={camera} />
      {children}
      <EffectSwitches choices={choices} onChoose={onChoose} />
      <DeviceChoice devices={devices} choices={choices} onChoose={onChoose} />
    </>
  );
}
