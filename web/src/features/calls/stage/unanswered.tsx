import type { Call } from '@asterism/sdk';
import { Mail, Phone, X } from 'lucide-react';
import { useState } from 'react';
import { isPhone } from '../state/media-identity.ts';
import { refusalOf, useRingAgain } from '../state/ring-mutations.ts';
import type { CallParticipant } from '../state/ring-mutations.ts';
import { i18n } from '../../../i18n/i18n.ts';

interface RefusalProps {
  call: Call;
  who: CallParticipant;
  onClose: () => void;
}

function Refusal({ call, who, onClose }: RefusalProps) {
  const again = useRingAgain();
  const has_left = who.state === 'left';
  const handle = who.user?.username ?? '';
  const message = `/app/videomail/${encodeURIComponent(handle)}?conference_id=${encodeURIComponent(call.conference_id)}`;
  return (
    <li className="notice call-notice">
      <p>{has_left ? i18n.t('{name} left the call', { name: who.name }) : refusalOf(who)}</p>
      <button type="button" className="button quiet" disabled={again.isPending} onClick={() => again.mutate(who)}>
        <Phone aria-hidden="true" />
        {i18n.t('Ring again')}
        <span className="visually-hidden">{` ${who.name}`}</span>
      </button>
      {has_left ? null : (
        // In a new window, so that the call continues.
        <a
          className="button quiet"
          href={message}
          target="_blank"
          rel="noreferrer"
          aria-label={i18n.t('Leave a message for {name}, in a new window', { name: who.name })}
        >
          <Mail aria-hidden="true" />
          {i18n.t('Leave a message')}
        </a>
      )}
      <button type="button" className="icon-button" onClick={onClose}>
        <X aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Dismiss {name}', { name: who.name })}</span>
      </button>
    </li>
  );
}

/** Who has left last, if the reader is alone since: on the stage they would only be missing. */
function lastToLeave({ participants }: Call, user_id: string | undefined): CallParticipant | undefined {
  const others = participants.filter(({ user }) => user === null || user.id !== user_id);
  if (others.some(({ state }) => state === 'joined' || state === 'joining' || state === 'ringing')) return undefined;
  const own = participants.find(({ user }) => user?.id === user_id);
  const since = Date.parse(own?.joined_at ?? '');
  const leftAt = ({ left_at }: CallParticipant) => Date.parse(left_at ?? '');
  const left = others.filter((one) => one.state === 'left' && one.user !== null && leftAt(one) > since);
  return left.toSorted((one, other) => leftAt(other) - leftAt(one))[0];
}

/**
 * Names callees who do not join, with the reason, and offers to leave them a message; also the person who left the reader
 * alone. Phones show this in their tiles.
 */
export function Unanswered({ call, user_id }: { call: Call; user_id: string | undefined }) {
  const [closed, setClosed] = useState<readonly string[]>([]);
  const keyOf = ({ id, state, left_at }: CallParticipant) => `${id} ${state} ${left_at}`;
  const last = lastToLeave(call, user_id);
  const absent = call.participants.filter(
    (one) =>
      (one === last || refusalOf(one) !== undefined) &&
      !isPhone(one) &&
      one.user?.id !== user_id &&
      !closed.includes(keyOf(one)),
  );
  return (
    <div role="status">
      {absent.length === 0 ? null : (
        <ul className="call-absent" aria-label={i18n.t('Not joining')}>
          {absent.map((who) => (
            <Refusal key={keyOf(who)} call={call} who={who} onClose={() => setClosed([...closed, keyOf(who)])} />
          ))}
        </ul>
      )}
    </div>
  );
}
