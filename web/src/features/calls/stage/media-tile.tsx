import { isTrackReference, useIsMuted, useIsSpeaking } from '@livekit/components-react';
import { Track } from 'livekit-client';
import { AudioLines, Hand, MicOff, Phone } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Avatar } from '../../../ui/avatar.tsx';
import { isOwnPhone } from '../state/media-identity.ts';
import { describeLeg, isOver } from '../state/phone-text.ts';
import type { CallParticipant } from '../state/ring-mutations.ts';
import { useIsConnected } from '../state/use-is-connected.ts';
import { PinButton } from './pin-button.tsx';
import { QualityMark } from './quality-mark.tsx';
import { useRingMotion } from './ring-motion.ts';
import { TileReactions } from './reactions.tsx';
import { TileVideo } from './tile-video.tsx';
import type { TileModel } from './use-tiles.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** Whether a participant's phone is ringing or connected. */
function isCalled(who: CallParticipant | undefined): who is CallParticipant & { leg: object } {
  return who !== undefined && who.leg !== null && !isOver(who.leg.state);
}

interface MediaTileProps {
  tile: Extract<TileModel, { kind: 'media' }>;
  style: CSSProperties;
  is_small: boolean;
  is_wide: boolean;
  /** Whether it can be dragged over the large tile. */
  is_floating: boolean;
  is_pinned: boolean;
  /** Pins the tile, or unpins it; undefined where that would change nothing. */
  onPin: (() => void) | undefined;
}

/** A raised hand, the state of a phone, and the connection quality. */
function TileMarks({ tile, has_leg }: { tile: MediaTileProps['tile']; has_leg: boolean }) {
  const { who } = tile;
  return (
    <>
      {who?.hand_raised_at == null ? null : (
        <span className="tile-mark tile-hand">
          <Hand aria-hidden="true" size={15} />
          <span className="visually-hidden">{i18n.t('Hand raised')}</span>
        </span>
      )}
      {has_leg && isCalled(who) ? (
        <span className="tile-mark" title={describeLeg(who.leg.state)}>
          <Phone aria-hidden="true" size={15} />
          <span className="visually-hidden">{describeLeg(who.leg.state)}</span>
        </span>
      ) : null}
      <QualityMark participant={tile.track.participant} />
    </>
  );
}

/** A connected participant: video or avatar, name, speaking and muted state, and connection quality. */
export function MediaTile({ tile, style, is_small, is_wide, is_floating, is_pinned, onPin }: MediaTileProps) {
  const { participant, source } = tile.track;
  const [speaking, is_connected] = [useIsSpeaking(participant), useIsConnected()];
  const muted = useIsMuted({ participant, source: Track.Source.Microphone });
  const screen = source === Track.Source.ScreenShare;
  const { who } = tile;
  const is_own_phone = isOwnPhone(participant, who);
  const who_name = who?.name || participant.name || i18n.t('Someone');
  const name = is_own_phone ? i18n.t('{name}, phone', { name: who_name }) : who_name;
  const shows = isTrackReference(tile.track) && !tile.track.publication.isMuted;
  const shown_name = participant.isLocal ? i18n.t('{name} (you)', { name }) : name;
  const label = screen ? i18n.t('{name}, screen', { name: shown_name }) : shown_name;
  const is_silent = muted || !participant.isMicrophoneEnabled;
  const speaks = speaking && is_connected && !screen && !is_silent;
  const place = useRingMotion<HTMLLIElement>(who?.id);
  return (
    <li
      ref={place}
      className="tile"
      style={style}
      data-speaking={speaks ? '' : undefined}
      data-screen={screen ? '' : undefined}
      data-small={is_small ? '' : undefined}
      data-wide={is_wide ? '' : undefined}
      data-floating={is_floating ? '' : undefined}
      onDoubleClick={onPin}
    >
      {shows && isTrackReference(tile.track) ? (
        <TileVideo track={tile.track} label={label} />
      ) : (
        <Avatar
          name={who?.user?.username ?? name}
          called={name}
          url={who?.user?.avatar_url}
          size_px={is_small ? 44 : 84}
        />
      )}
      {screen ? null : <TileReactions participant_id={who?.id} name={name} />}
      <span className="tile-foot">
        <span className="tile-name">
          {screen || !is_silent ? null : (
            <>
              <MicOff aria-hidden="true" size={15} />
              <span className="visually-hidden">{i18n.t('Muted:')} </span>
            </>
          )}
          {speaks ? (
            <>
              <AudioLines aria-hidden="true" size={15} />
              <span className="visually-hidden">{i18n.t('Speaking:')} </span>
            </>
          ) : null}
          <span className="tile-words" dir="auto">
            {participant.isLocal && !screen ? i18n.t('You') : label}
          </span>
        </span>
        {screen ? null : <TileMarks tile={tile} has_leg={!is_own_phone} />}
      </span>
      {onPin === undefined ? null : <PinButton name={label} is_pinned={is_pinned} onPress={onPin} />}
    </li>
  );
}
