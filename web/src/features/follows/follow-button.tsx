import type { Tag } from '@asterism/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Check, Clock, UserPlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useSetPending } from '../../data/pending-context.ts';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { AreaField, Form, readText } from '../../ui/form.tsx';
import type { FollowedTag } from './follow-work.ts';
import { setFollowed } from './follow-mutations.ts';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';

function stateOf(tag: Tag) {
  if (tag.following) return { label: i18n.t('Following'), action: i18n.t('unfollow'), icon: Check };
  if (tag.requested) return { label: i18n.t('Requested'), action: i18n.t('cancel the request'), icon: Clock };
  const label = tag.follow_policy === 'open' ? i18n.t('Follow') : i18n.t('Ask to follow');
  return { label, action: undefined, icon: UserPlus };
}

/** Follows or unfollows a tag, which is shown at once. */
function useSetFollow({ id, name, follow_policy, following, requested }: Tag) {
  const queries = useQueryClient();
  const setPending = useSetPending();
  return (on: boolean, message?: string) => {
    const is_open = follow_policy === 'open';
    setFollowed(queries, id, on && is_open, on && !is_open);
    const known = { name, follow_policy, following, requested };
    const about: FollowedTag = message === undefined || message === '' ? known : { ...known, message };
    setPending({ kind: 'follow', id, on, about });
  };
}

/** Follows, requests to follow, unfollows or withdraws the request; its label shows the current state. */
export function FollowButton({ tag }: { tag: Tag }) {
  const button = useRef<HTMLButtonElement>(null);
  const setFollow = useSetFollow(tag);
  const [is_asking, setAsking] = useState(false);
  if (tag.is_mine) return <span className="chip">{i18n.t('Yours')}</span>;
  const { label, action, icon: Icon } = stateOf(tag);
  const is_on = tag.following || tag.requested;
  const press = () => {
    if (is_on) setFollow(false);
    else if (tag.follow_policy === 'open') setFollow(true);
    else setAsking(true);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={is_on ? 'button quiet' : 'button primary'}
        aria-label={`${label} *${tag.name}${action === undefined ? '' : `: ${action}`}`}
        title={action}
        onClick={press}
      >
        <Icon aria-hidden="true" />
        {label}
      </button>
      <Dialog
        open={is_asking}
        onClose={() => setAsking(false)}
        title={i18n.t('Ask to follow *{name}', { name: tag.name })}
        returnTo={button}
      >
        <Form
          onSubmit={(data) => {
            setFollow(true, readText(data, 'message'));
            setAsking(false);
          }}
        >
          <AreaField
            label={i18n.t('Message to the owner')}
            name="message"
            maxLength={MAX_LENGTH.follow_message}
            hint={i18n.t('Optional.')}
          />
          <div className="cluster">
            <button type="submit" className="button primary">
              {i18n.t('Ask')}
            </button>
            <button type="button" className="button quiet" onClick={() => setAsking(false)}>
              {i18n.t('Cancel')}
            </button>
          </div>
        </Form>
      </Dialog>
    </>
  );
}
