import { Mic, MicOff, Video, VideoOff, Volume2 } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { SelectField } from '../../../ui/form.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { canBlur } from '../effects/blur-track.ts';
import { useBlurredPreview } from '../effects/use-blurred-preview.ts';
import { stepsToAllow } from '../media/browser-steps.ts';
import { DEVICE_KINDS } from '../media/device-kinds.ts';
import { saveChoices, readChoices } from '../../../media/saved-choices.ts';
import type { Choices } from '../../../media/saved-choices.ts';
import { playTestTone } from '../incoming/ring-tone.ts';
import { useDevice, useDeviceList, useLevel } from '../media/use-preview.ts';
import type { DeviceState } from '../media/use-preview.ts';
import { i18n } from '../../../i18n/i18n.ts';
import './lobby.css';

interface PictureProps {
  stream: MediaStream | undefined;
  /** Shown while there is no picture. */
  waiting: string;
}

/** The reader's own camera preview. */
function Picture({ stream, waiting }: PictureProps) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current !== null) video.current.srcObject = stream ?? null;
  }, [stream]);
  return (
    <div className="preview">
      {stream === undefined ? (
        <p className="soft" role="status">
          {waiting}
        </p>
      ) : (
        <video ref={video} autoPlay playsInline muted aria-label={i18n.t('Your camera, seen only by you')} />
      )}
    </div>
  );
}

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

function Refused({ kind, tried }: { kind: 'microphone' | 'camera'; tried: DeviceState & { onAgain: () => void } }) {
  if (tried.problem === undefined) return null;
  return (
    <div className="notice stack-small" data-tone="danger" role="alert">
      <p>
        {tried.is_denied === true
          ? i18n.t(
              '{kind, select, camera {Your browser doesn’t let Asterism use the camera. To allow it:} other {Your browser doesn’t let Asterism use the microphone. To allow it:}}',
              { kind },
            )
          : tried.problem}
      </p>
      {tried.is_denied === true ? (
        <ol className="steps">
          {stepsToAllow(kind).map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      ) : null}
      <p className="small">{i18n.t('You can join without it, and listen.')}</p>
      <button type="button" className="button quiet" onClick={tried.onAgain}>
        {i18n.t('Try again')}
      </button>
    </div>
  );
}

function Level({ stream }: { stream: MediaStream | undefined }) {
  const level = useLevel(stream);
  if (level === 'never')
    return <p className="small soft">{i18n.t('How loud you are can’t be shown: this browser finds no speaker.')}</p>;
  if (level === undefined)
    return (
      <p className="small soft">
        {stream === undefined
          ? i18n.t('Your microphone is starting…')
          : i18n.t('Tap anywhere to test your microphone.')}
      </p>
    );
  return (
    <div className="level">
      <span className="small soft">{i18n.t('Level')}</span>
      <meter min={0} max={1} low={0.15} value={level} aria-label={i18n.t('How loud you are')} />
    </div>
  );
}

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

function DeviceChoice({ devices, choices, onChoose }: DeviceChoiceProps) {
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
function EffectSwitches({ choices, onChoose }: Omit<DeviceChoiceProps, 'devices'>) {
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

/** The devices as they will be used in the call, tested in private; choices are saved. */
export function useLobby() {
  const [choices, setChoices] = useState(readChoices);
  const onChoose = (part: Partial<Choices>) => {
    saveChoices(part);
    setChoices((known) => ({ ...known, ...part }));
  };
  return { choices, onChoose };
}

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
      <Picture
        stream={picture}
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
          on={choices.microphone}
          icons={{ on: Mic, off: MicOff }}
          onSwitch={() => onChoose({ microphone: !choices.microphone })}
        />
        <DeviceSwitch
          words={{ on: i18n.t('Camera on'), off: i18n.t('Camera off') }}
          on={choices.camera}
          icons={{ on: Video, off: VideoOff }}
          onSwitch={() => onChoose({ camera: !choices.camera })}
        />
      </div>
      {choices.microphone && microphone.problem === undefined ? <Level stream={microphone.stream} /> : null}
      <Refused kind="microphone" tried={microphone} />
      <Refused kind="camera" tried={camera} />
      {children}
      <EffectSwitches choices={choices} onChoose={onChoose} />
      <DeviceChoice devices={devices} choices={choices} onChoose={onChoose} />
    </>
  );
}
