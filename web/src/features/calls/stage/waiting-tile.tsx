import { Phone, PhoneCall, X } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Avatar } from '../../../ui/avatar.tsx';
import { formatPhone } from '../../../i18n/phone-number.ts';
import { describeLeg, isOver } from '../state/phone-text.ts';
import { isPhone } from '../state/media-identity.ts';
import { mayRingAgain, mayCancelRing, useRingAgain, useRemoveParticipant } from '../state/ring-mutations.ts';
import { useOwnRings } from '../state/own-rings.ts';
import type { CallParticipant } from '../state/ring-mutations.ts';
import { useRingMotion } from './ring-motion.ts';
import { HangUp } from '../hang-up.tsx';
import { i18n } from '../../../i18n/i18n.ts';

interface WaitingTileProps {
  who: CallParticipant;
  style: CSSProperties;
  is_small: boolean;
  is_host: boolean;
  onDismiss: () => void;
}

function describe(who: CallParticipant): string {
  if (who.leg !== null && who.state !== 'joining') return describeLeg(who.leg.state);
  return who.state === 'ringing' ? i18n.t('Ringing…') : i18n.t('Joining…');
}

/** A participant who is ringing, joining or on a phone, with the possible actions. */
export function WaitingTile({ who, style, is_small, is_host, onDismiss }: WaitingTileProps) {
  const again = useRingAgain();
  const away = useRemoveParticipant();
  const phone = isPhone(who);
  const was_mine = useOwnRings().has(who.id);
  const over = phone && who.leg !== null && isOver(who.leg.state);
  const talking = who.leg?.state === 'answered';
  const place = useRingMotion<HTMLLIElement>(who.id);
  return (
    <li
      ref={place}
      className="tile tile-waiting"
      style={style}
      data-small={is_small ? '' : undefined}
      data-over={over || undefined}
    >
      {phone ? (
        <span className="tile-phone" aria-hidden="true">
          {talking ? <PhoneCall /> : <Phone />}
        </span>
      ) : (
        <Avatar
          name={who.user?.username ?? who.name}
          called={who.name}
          url={who.user?.avatar_url}
          size_px={is_small ? 40 : 68}
        />
      )}
      <p className="tile-state">
        <strong dir="auto">{formatPhone(who.name)}</strong>
        <span role="status">{describe(who)}</span>
      </p>
      <span className="tile-actions">
        {over && mayRingAgain(who) ? (
          <button type="button" className="tile-action" disabled={again.isPending} onClick={() => again.mutate(who)}>
            <Phone aria-hidden="true" />
            <span>{i18n.t('Ring again')}</span>
            <span className="visually-hidden"> {who.name}</span>
          </button>
        ) : null}
        {!over && mayCancelRing(who, is_host || was_mine) ? (
          <button type="button" className="tile-action" disabled={away.isPending} onClick={() => away.mutate(who)}>
            <HangUp aria-hidden="true" />
            <span>{talking ? i18n.t('Hang up') : i18n.t('Cancel')}</span>
            <span className="visually-hidden"> {who.name}</span>
          </button>
        ) : null}
        {over ? (
          <button type="button" className="tile-action" onClick={onDismiss}>
            <X aria-hidden="true" />
            <span className="visually-hidden">{i18n.t('Dismiss {name}', { name: who.name })}</span>
          </button>
        ) : null}
      </span>
    </li>
  );
}
