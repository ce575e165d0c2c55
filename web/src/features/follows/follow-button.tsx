import type { Tag } from '@asterism/sdk';
import { Check, Clock, UserPlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { AreaField, Form, readText } from '../../ui/form.tsx';
import { useFollow, useUnfollow } from './follow-mutations.ts';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';

function stateOf(tag: Tag) {
  if (tag.following) return { label: i18n.t('Following'), action: i18n.t('stop following'), icon: Check };
  if (tag.requested) return { label: i18n.t('Requested'), action: i18n.t('withdraw the request'), icon: Clock };
  const label = tag.follow_policy === 'open' ? i18n.t('Follow') : i18n.t('Ask to follow');
  return { label, action: undefined, icon: UserPlus };
}

/** Follows, requests to follow, unfollows or withdraws the request; its label shows the current state. */
export function FollowButton({ tag }: { tag: Tag }) {
  const button = useRef<HTMLButtonElement>(null);
  const follow = useFollow();
  const unfollow = useUnfollow();
  const [is_asking, setAsking] = useState(false);
  if (tag.is_mine) return <span className="chip">{i18n.t('Yours')}</span>;
  const { label, action, icon: Icon } = stateOf(tag);
  const is_on = tag.following || tag.requested;
  const press = () => {
    if (is_on) unfollow.mutate(tag);
    else if (tag.follow_policy === 'open') follow.mutate({ tag });
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
            follow.mutate({ tag, message: readText(data, 'message') });
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
