import { Link, useNavigate } from '@tanstack/react-router';
import { File as FileIcon, SquarePen } from 'lucide-react';
import { useDeferredValue, useEffect, useState } from 'react';
import { newKey } from '../../data/new-key.ts';
import { forgetOthers } from '../auth/sign-out.ts';
import { useMe } from '../../data/queries/me-query.ts';
import type { Me } from '../../data/queries/me-query.ts';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';
import { dropShared, readShared } from '../../worker/shared-content.ts';
import type { SharedContent } from '../../worker/shared-content.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { GoBack } from '../../ui/back-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { Row } from '../../ui/row.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { ChatPlace } from '../chat/chat-place.ts';
import { hasWords } from '../chat/highlighted-text.tsx';
import { describeSize } from '../files/file-text.ts';
import { addUnsentFile } from '../files/unsent-files.ts';
import { addressOf } from '../files/local-uploads.ts';
import { MAX_BYTES } from '../files/use-uploads.ts';
import { useChatTargets } from '../messages/list/chat-targets.ts';
import type { ChatTarget } from '../messages/list/chat-targets.ts';
import { MAX_STATUS_FILES } from '../statuses/use-draft.ts';
import { addToChatDraft, addToStatusDraft } from './add-to-drafts.ts';
import './share.css';
import '../files/upload-item.css';

/** What another app has shared with an account: undefined while it is read, null when there is nothing. */
function useShared(user_id: string | undefined): SharedContent | null | undefined {
  const [shared, setShared] = useState<SharedContent | null>();
  useEffect(() => {
    if (user_id === undefined) return;
    let is_shown = true;
    const read = async () => {
      await forgetOthers(user_id);
      const found = await readShared().catch(() => undefined);
      if (is_shown) setShared(found ?? null);
    };
    void read();
    return () => {
      is_shown = false;
    };
  }, [user_id]);
  return shared;
}

const isSmall = ({ size }: File) => size <= MAX_BYTES;

function SharedFile({ file }: { file: File }) {
  return (
    <li className="upload" data-bad={isSmall(file) ? undefined : ''}>
      {file.type.startsWith('image/') ? (
        <img src={addressOf(file)} alt="" width={44} height={44} />
      ) : (
        <FileIcon aria-hidden="true" />
      )}
      <div className="list-main">
        <p className="small cut" dir="auto">
          {file.name}
        </p>
        {isSmall(file) ? (
          <p className="soft small">{describeSize(file.size)}</p>
        ) : (
          <p className="field-error">{i18n.t('It is larger than 25 MB.')}</p>
        )}
      </div>
    </li>
  );
}

/** What will be sent. */
function Preview({ shared: { text, files } }: { shared: SharedContent }) {
  return (
    <div className="shared">
      {text === '' ? null : (
        <p className="shared-text" dir="auto">
          {text}
        </p>
      )}
      {files.length === 0 ? null : (
        <ul className="uploads" aria-label={i18n.t('Attached')}>
          {files.map((file, at) => (
            <SharedFile key={at} file={file} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** The address of a chat of the list. */
function linkTo(place: ChatPlace) {
  if (place.kind === 'group') return { to: '/messages/group/$groupId', params: { groupId: place.id } } as const;
  if (place.kind === 'widget')
    return {
      to: '/messages/widget/$widgetId/$guestId',
      params: { widgetId: place.id, guestId: place.guest_id },
    } as const;
  return { to: '/messages/$threadId', params: { threadId: place.id } } as const;
}

/** Puts what was shared into the draft of a chat, or of a post, and opens it: it is sent from there. */
function useShareTo(me: Me, { text, files }: SharedContent) {
  const navigate = useNavigate();
  // `replace`: going back does not lead to this page, which has nothing left to share.
  const keepAll = () => files.filter(isSmall).map((file) => addUnsentFile(newKey(), file));
  const finish = () => void dropShared().catch(() => undefined);
  return {
    toChat: ({ place }: ChatTarget) => {
      addToChatDraft(me.id, place, text.slice(0, MAX_LENGTH.message), keepAll());
      finish();
      void navigate({ ...linkTo(place), replace: true });
    },
    toPost: () => {
      addToStatusDraft(me.id, text.slice(0, MAX_LENGTH.status), keepAll());
      finish();
      void navigate({ to: '/', state: { compose: true }, replace: true });
    },
  };
}

function Targets({ me, shared }: { me: Me; shared: SharedContent }) {
  const { threads, targets } = useChatTargets();
  const { toChat, toPost } = useShareTo(me, shared);
  const [words, setWords] = useState('');
  const asked = useDeferredValue(words.trim());
  const shown = asked === '' ? targets : targets.filter(({ name }) => hasWords(name, asked));
  const can_post = asked === '' && shared.files.length <= MAX_STATUS_FILES;
  return (
    <div className="share-to">
      <SearchField label={i18n.t('Search your chats')} text={words} onText={setWords} />
      <ul className="share-rows" aria-label={i18n.t('Chats')}>
        {can_post ? (
          <li>
            <button type="button" className="row press" onClick={toPost}>
              <Row
                picture={
                  <span className="share-post" aria-hidden="true">
                    <SquarePen />
                  </span>
                }
                title={i18n.t('New post')}
              />
            </button>
          </li>
        ) : null}
        {shown.map((target) => (
          <li key={target.key}>
            <button type="button" className="row press" onClick={() => toChat(target)}>
              <Row picture={<Avatar {...target.picture} />} title={target.name} />
            </button>
          </li>
        ))}
      </ul>
      {threads.isPending ? <Skeleton rows={3} what={i18n.t('Loading your chats')} /> : null}
      {threads.isSuccess && asked !== '' && shown.length === 0 ? (
        <p className="talk-note" role="status">
          {i18n.t('No results for “{asked}”.', { asked })}
        </p>
      ) : null}
    </div>
  );
}

/** Lets the reader choose the chat, or a post, for what another app has shared with the installed client. */
export function SharePage() {
  const me = useMe();
  const shared = useShared(me?.id);
  return (
    <Page title={i18n.t('Share to')} narrow back={<GoBack to="/messages" />}>
      {shared === null ? (
        <EmptyState title={i18n.t('Nothing to share')} text={i18n.t('Share a text, a link or files from another app.')}>
          <Link to="/messages" className="button quiet">
            {i18n.t('Open your chats')}
          </Link>
        </EmptyState>
      ) : null}
      {shared == null || me === undefined ? null : (
        <>
          <Preview shared={shared} />
          <Targets me={me} shared={shared} />
        </>
      )}
    </Page>
  );
}
