import { useLocalParticipant, isTrackReference } from '@livekit/components-react';
import type { Call } from '@asterism/sdk';
import { Link } from '@tanstack/react-router';
import { Maximize2, Mic, MicOff, Video, VideoOff } from 'lucide-react';
import { Avatar, nameOf } from '../../../ui/avatar.tsx';
import { TileVideo } from '../stage/tile-video.tsx';
import { useTiles } from '../stage/use-tiles.ts';
import type { TileModel } from '../stage/use-tiles.ts';
import type { Source } from '../state/wanted-sources.ts';
import { HangUp } from '../hang-up.tsx';
import { useCorner } from './use-corner.ts';
import { i18n } from '../../../i18n/i18n.ts';
import './mini-call.css';

const NONE: ReadonlySet<string> = new Set();

/** The focused participant: their video, or avatar. */
function Focus({ tile, call }: { tile: TileModel | undefined; call: Call }) {
  if (tile?.kind === 'media' && isTrackReference(tile.track) && !tile.track.publication.isMuted)
    return <TileVideo track={tile.track} />;
  const who = tile?.who?.user ?? undefined;
  return (
    <Avatar
      name={who?.username ?? tile?.who?.name ?? call.host.username}
      called={tile?.who?.name ?? nameOf(call.host)}
      url={who === undefined ? undefined : who.avatar_url}
      size_px={64}
    />
  );
}

/** Why no time counts yet. */
function describeWait({ participants }: Call, inside: boolean): string {
  if (!inside) return i18n.t('Connecting…');
  return participants.some(({ state }) => state === 'ringing') ? i18n.t('Ringing…') : i18n.t('No one else is here');
}

interface MiniCallProps {
  call: Call;
  user_id: string | undefined;
  /** How long the reader has been in the call with somebody; undefined until then. */
  elapsed: string | undefined;
  /** Whether the reader is connected. */
  inside: boolean;
  is_broken: boolean;
  onSwitch: (source: Source, on: boolean) => void;
  onLeave: () => void;
}

/** The call while another page is open: the speaker, the duration, and the essential controls. */
export function MiniCall({ call, user_id, elapsed, inside, is_broken, onSwitch, onLeave }: MiniCallProps) {
  const { focus } = useTiles(call, user_id, NONE);
  const { isMicrophoneEnabled, isCameraEnabled } = useLocalParticipant();
  const corner = useCorner<HTMLElement>();
  const name = focus?.who?.name || nameOf(call.host);
  const Microphone = isMicrophoneEnabled ? Mic : MicOff;
  const Camera = isCameraEnabled ? Video : VideoOff;
  return (
    <section className="mini night" aria-label={i18n.t('Your call')} {...corner}>
      <Focus tile={focus} call={call} />
      <p className="mini-top" dir="auto">
        <i className="dot" data-broken={is_broken ? '' : undefined} aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('In a call with {name}.', { name })} </span>
        <span>{is_broken ? i18n.t('Reconnecting…') : (elapsed ?? describeWait(call, inside))}</span>
      </p>
      <div className="mini-controls">
        <button
          type="button"
          className="icon-button"
          data-off={isMicrophoneEnabled ? undefined : ''}
          onClick={() => onSwitch('microphone', !isMicrophoneEnabled)}
        >
          <Microphone aria-hidden="true" />
          <span className="visually-hidden">{isMicrophoneEnabled ? i18n.t('Mute') : i18n.t('Unmute')}</span>
        </button>
        <button
          type="button"
          className="icon-button mini-wide"
          data-off={isCameraEnabled ? undefined : ''}
          onClick={() => onSwitch('camera', !isCameraEnabled)}
        >
          <Camera aria-hidden="true" />
          <span className="visually-hidden">{isCameraEnabled ? i18n.t('Stop camera') : i18n.t('Start camera')}</span>
        </button>
        <Link to="/call/$joinCode" params={{ joinCode: call.join_code }} className="icon-button">
          <Maximize2 aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Back to the call')}</span>
        </Link>
        <button type="button" className="icon-button mini-leave" onClick={onLeave}>
          <HangUp aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Leave the call')}</span>
        </button>
      </div>
    </section>
  );
}
