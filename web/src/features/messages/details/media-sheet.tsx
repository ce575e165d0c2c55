import type { Input, Reply } from '@asterism/sdk';
import { useNavigate } from '@tanstack/react-router';
import { Link2, MessageSquareText } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { sdk } from '../../../asterism.ts';
import { useList } from '../../../data/lists.ts';
import { useMe } from '../../../data/queries/me-query.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { formatDate } from '../../../i18n/format.ts';
import { nameOf } from '../../../ui/avatar.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { EmptyState, Failure } from '../../../ui/empty-state.tsx';
import { More } from '../../../ui/more.tsx';
import { Sheet } from '../../../ui/overlay/sheet/sheet.tsx';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { Row } from '../../../ui/row.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { shownAddress, splitLinks } from '../../../ui/text/text-links.ts';
import type { MemberChat } from '../../chat/chat-message.ts';
import { useChatPictures } from '../../chat/list/use-chat-pictures.ts';
import { AudioPlayer } from '../../files/audio-player.tsx';
import { nameMedia } from '../../files/file-text.ts';
import { PicturesAround } from '../../files/lightbox/pictures.ts';
import { DownloadCard, Picture } from '../../files/media-view.tsx';
import { chatMediaKey } from './details-queries.ts';
import { ListTime } from '../list-time.tsx';
import './media-sheet.css';

type Item = Reply<'chatDetails', 'listChatMedia'>['items'][number];
type Kind = Input<'chatDetails', 'listChatMedia'>['query']['kind'];

/** An item with what the lightbox shows of it. */
type Shown = Item & { readonly mine: boolean; readonly by: { readonly id: string; readonly name: string } | undefined };

const listKinds = (): readonly { kind: Kind; words: string; empty: string }[] => [
  { kind: 'media', words: i18n.t('Media'), empty: i18n.t('No pictures or videos yet') },
  { kind: 'documents', words: i18n.t('Files'), empty: i18n.t('No files yet') },
  { kind: 'links', words: i18n.t('Links'), empty: i18n.t('No links yet') },
];

/** The month of a time: "November 2026". */
const monthOf = (at: string): string => formatDate(at, { month: 'long', year: 'numeric' });

/** Items in a row of the same month together. */
function groupByMonth(items: readonly Shown[]): { month: string; items: Shown[] }[] {
  const groups: { month: string; items: Shown[] }[] = [];
  for (const item of items) {
    const month = monthOf(item.created_at);
    const last = groups.at(-1);
    if (last?.month === month) last.items.push(item);
    else groups.push({ month, items: [item] });
  }
  return groups;
}

/** Pictures and videos in squares, each of which opens the lightbox among all of them. */
function Pictures({ items }: { items: readonly Shown[] }) {
  return (
    <ul className="media-grid">
      {items.flatMap((item) =>
        nameMedia(item.files, item.mine ? undefined : item.by?.name, item.created_at).map((picture) => (
          <li key={`${item.id} ${picture.file.id}`}>
            <Picture picture={picture} own={[picture]} />
          </li>
        )),
      )}
    </ul>
  );
}

interface ShowProps {
  item: Shown;
  onShow: (message_id: string) => void;
}

/** Opens the chat at the message. */
function ShowButton({ item, onShow }: ShowProps) {
  return (
    <button type="button" className="icon-button" title={i18n.t('Show in chat')} onClick={() => onShow(item.id)}>
      <MessageSquareText aria-hidden="true" />
      <span className="visually-hidden">{i18n.t('Show in chat')}</span>
    </button>
  );
}

function Facts({ item }: { item: Shown }) {
  return (
    <span className="media-facts">
      <span className="cut" dir="auto">
        {item.mine ? i18n.t('You') : item.by?.name}
      </span>
      <ListTime at={item.created_at} />
    </span>
  );
}

/** Documents, and voice messages with their player. */
function Files({ items, onShow }: { items: readonly Shown[]; onShow: ShowProps['onShow'] }) {
  return (
    <ul className="media-rows">
      {items.flatMap((item) =>
        nameMedia(item.files, item.mine ? undefined : item.by?.name, item.created_at).map(({ file, name }) => (
          <li key={`${item.id} ${file.id}`} className="media-row">
            <div className="media-row-body">
              {file.kind === 'audio' ? (
                <AudioPlayer file={file} name={name} bars={28} stamp={undefined} />
              ) : (
                <DownloadCard file={file} />
              )}
              <Facts item={item} />
            </div>
            <ShowButton item={item} onShow={onShow} />
          </li>
        )),
      )}
    </ul>
  );
}

/** The web addresses in a text; www. alone is completed. */
function addressesOf(body: string): { href: string; shown: string }[] {
  const full = body.replaceAll(/(?<![\w/.@-])www\.(?=\w)/gi, 'https://www.');
  return splitLinks(full, []).flatMap((part, at) => {
    const shown = at % 2 === 1 ? shownAddress(part) : undefined;
    return shown === undefined ? [] : { href: part, shown };
  });
}

function Links({ items, onShow }: { items: readonly Shown[]; onShow: ShowProps['onShow'] }) {
  return (
    <ul className="media-rows">
      {items.flatMap((item) =>
        addressesOf(item.body).map(({ href, shown }, at) => (
          <li key={`${item.id} ${String(at)}`} className="media-row">
            <a className="row media-row-body" href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
              <Row
                picture={
                  <span className="media-file-sign">
                    <Link2 aria-hidden="true" />
                  </span>
                }
                title={<span dir="ltr">{shown}</span>}
                detail={<Facts item={item} />}
              />
            </a>
            <ShowButton item={item} onShow={onShow} />
          </li>
        )),
      )}
    </ul>
  );
}

/** The items of a list, with their authors. */
function useMedia(chat: MemberChat, kind: Kind) {
  const me = useMe();
  const list = useList<Item>({
    queryKey: chatMediaKey(chat, kind),
    load: (query, signal) => sdk.chatDetails.listChatMedia({ query: { ...query, ...chat, kind }, signal }),
  });
  const { items } = list;
  const shown = useMemo(
    () =>
      items.map((item): Shown => {
        const { author } = item;
        const by = author === null ? undefined : { id: author.id, name: nameOf(author) };
        return { ...item, mine: by?.id === me?.id, by };
      }),
    [items, me?.id],
  );
  return { list, shown };
}

/** One list, by month. */
function MediaList({
  chat,
  kind,
  empty,
  onShow,
}: {
  chat: MemberChat;
  kind: Kind;
  empty: string;
  onShow: ShowProps['onShow'];
}) {
  const { list, shown } = useMedia(chat, kind);
  const pictures = useChatPictures(shown, list);
  const show = (items: readonly Shown[]): ReactNode => {
    if (kind === 'media') return <Pictures items={items} />;
    return kind === 'documents' ? <Files items={items} onShow={onShow} /> : <Links items={items} onShow={onShow} />;
  };
  return (
    <PicturesAround value={pictures}>
      {list.isPending ? <Skeleton rows={3} what={i18n.t('Loading the media')} /> : null}
      {list.isError && shown.length === 0 ? (
        <Failure text={describeProblem(list.error)} onRetry={() => void list.refetch()} />
      ) : null}
      {list.isSuccess && shown.length === 0 ? (
        <EmptyState title={empty} text={i18n.t('What is sent in this chat is collected here.')} />
      ) : null}
      {groupByMonth(shown).map(({ month, items }) => (
        <section key={month} aria-label={month}>
          <h3 className="media-month">{month}</h3>
          {show(items)}
        </section>
      ))}
      <More list={list} what={i18n.t('messages')} />
    </PicturesAround>
  );
}

interface MediaSheetProps {
  chat: MemberChat;
  onClose: () => void;
  returnTo: RefObject<HTMLElement | null>;
}

/** The pictures and videos, other files, and links of a chat, newest first. */
export function MediaSheet({ chat, onClose, returnTo }: MediaSheetProps) {
  const [kind, choose] = useState<Kind>('media');
  const navigate = useNavigate();
  const kinds = listKinds();
  const onShow = (at: string) => {
    onClose();
    void navigate({ to: '.', search: { at } });
  };
  return (
    <Sheet open onClose={onClose} title={i18n.t('Media, files and links')} returnTo={returnTo} width_px={640}>
      <div className="chips" role="group" aria-label={i18n.t('Media, files and links')}>
        {kinds.map((one) => (
          <Chip key={one.kind} pressed={one.kind === kind} onClick={() => choose(one.kind)}>
            {one.words}
          </Chip>
        ))}
      </div>
      <div className="media-lists">
        <MediaList
          key={kind}
          chat={chat}
          kind={kind}
          empty={kinds.find((one) => one.kind === kind)?.empty ?? ''}
          onShow={onShow}
        />
      </div>
    </Sheet>
  );
}
