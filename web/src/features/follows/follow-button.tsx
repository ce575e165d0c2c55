import type { Tag } from '@asterism/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Check, Clock, UserPlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useSetPending } from '../../data/pending-context.ts';
import { useFormDraft } from '../../data/storage/form-draft.ts';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { DraftForm, FormButtons, type NamedTexts } from '../../ui/draft-form.tsx';
import { AreaField, readText } from '../../ui/form.tsx';
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

interface RequestFormProps {
  tag_id: string;
  onSend: (message: string) => void;
  onClose: () => void;
}

function RequestForm({ tag_id, onSend, onClose }: RequestFormProps) {
  const draft = useFormDraft<NamedTexts>(`follow ${tag_id}`);
  const send = (data: FormData) => {
    draft.drop();
    onSend(readText(data, 'message'));
  };
  const cancel = () => {
    draft.dismiss();
    onClose();
  };
  return (
    <DraftForm draft={draft} onSubmit={send}>
      <AreaField
        label={i18n.t('Message to the owner')}
        name="message"
        maxLength={MAX_LENGTH.follow_message}
        hint={i18n.t('Optional.')}
      />
      <FormButtons action={i18n.t('Ask')} onCancel={cancel} />
    </DraftForm>
  );
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
        <RequestForm
          tag_id={tag.id}
          onSend={(message) => {
            setFollow(true, message);
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        />
      </Dialog>
    </>
  );
}
