import type { Input } from '@asterism/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Archive, ArchiveRestore, Bell, BellOff, CalendarSearch, Images, Pin, PinOff, Search } from 'lucide-react';
import { lazyRouteComponent } from '@tanstack/react-router';
import { DropdownMenu } from 'radix-ui';
import { Suspense, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { sdk } from '../../asterism.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { MoreMenu } from '../../ui/overlay/more-menu.tsx';
import { useMenu } from '../../ui/overlay/use-menu.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { archivedGroupsQuery, groupChatsQuery } from '../chat/chat-queries.ts';
import { isMemberChat } from '../chat/chat-message.ts';
import type { ChatSource, MemberChat } from '../chat/chat-message.ts';
import { isMuted, mutedFor } from '../../data/chat-settings.ts';
import type { ChatSettings } from '../../data/chat-settings.ts';
import { JumpSheet } from '../chat/jump-to-date.tsx';
import { cacheThread } from '../../data/queries/message-queries.ts';
import { useClearing } from './clearing/use-clearing.tsx';
import { SearchSheet } from './message-search.tsx';
import { i18n } from '../../i18n/i18n.ts';

/** Loaded when it is opened. */
const MediaSheet = lazyRouteComponent(() => import('./details/media-sheet.tsx'), 'MediaSheet');

type Change = Input<'dm', 'setThreadSettings'>['body'];

/** Changes the reader's settings of a chat. */
export function useSettings(chat: MemberChat): (change: Change, done?: { text: string; undo: Change }) => void {
  const queries = useQueryClient();
  const send = async (change: Change) => {
    if ('thread_id' in chat) cacheThread(queries, await sdk.dm.setThreadSettings({ path: chat, body: change }));
    else {
      await sdk.chats.setGroupChatSettings({ path: chat, body: change });
      await queries.invalidateQueries({ queryKey: groupChatsQuery.queryKey });
    }
  };
  const set = (change: Change) => send(change).catch((error: unknown) => showToast(describeProblem(error)));
  return (change, done) => {
    send(change).then(
      () => done && showToast(done.text, { undo: () => void set(done.undo) }),
      (error: unknown) => showToast(describeProblem(error)),
    );
  };
}

const listSilences = () =>
  [
    [i18n.t('Mute for 1 hour'), 1],
    [i18n.t('Mute for 8 hours'), 8],
    [i18n.t('Mute always'), Infinity],
  ] as const;

/** The settings of a chat as menu items. */
export function SettingsItems({ chat, settings }: { chat: MemberChat; settings: ChatSettings }) {
  const set = useSettings(chat);
  const { archived, pinned } = settings;
  return (
    <>
      <DropdownMenu.Item className="menu-item" onSelect={() => set({ pinned: !pinned })}>
        {pinned ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
        {pinned ? i18n.t('Unpin') : i18n.t('Pin')}
      </DropdownMenu.Item>
      {isMuted(settings) ? (
        <DropdownMenu.Item className="menu-item" onSelect={() => set({ muted_until: null })}>
          <Bell aria-hidden="true" />
          {i18n.t('Stop muting')}
        </DropdownMenu.Item>
      ) : (
        listSilences().map(([label, hours]) => (
          <DropdownMenu.Item key={label} className="menu-item" onSelect={() => set({ muted_until: mutedFor(hours) })}>
            <BellOff aria-hidden="true" />
            {label}
          </DropdownMenu.Item>
        ))
      )}
      <DropdownMenu.Item
        className="menu-item"
        onSelect={() =>
          archived
            ? set({ archived: false })
            : set({ archived: true }, { text: i18n.t('Archived.'), undo: pinned ? { pinned } : { archived } })
        }
      >
        {archived ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />}
        {archived ? i18n.t('Unarchive') : i18n.t('Archive')}
      </DropdownMenu.Item>
    </>
  );
}

/** The reader's settings of a group's chat; undefined until they are loaded. */
export function useGroupSettings(group_id: string): ChatSettings | undefined {
  const listed = useQuery(groupChatsQuery).data?.items.find(({ group }) => group.id === group_id);
  const is_archived = listed === undefined;
  const archived = useQuery({ ...archivedGroupsQuery, enabled: is_archived }).data;
  return (listed ?? archived?.items.find(({ group }) => group.id === group_id))?.settings;
}

interface PlainMenuProps {
  /** The accessible name of the menu. */
  label: string;
  children: (returnTo: RefObject<HTMLElement | null>) => ReactNode;
}

/** A menu behind a button with three dots. */
export function PlainMenu({ label, children }: PlainMenuProps) {
  const menu = useMenu();
  return (
    <MoreMenu menu={menu} label={label}>
      {children(menu.trigger.ref)}
    </MoreMenu>
  );
}

/**
 * The items of an open chat's menu: search, and the settings where it has any.
 * @param clears whose chat it is, where the reader may clear it
 * @returns the items, for a menu whose button gets the focus back, and the dialogs that they open
 */
export function useChatMenu(
  chat: ChatSource,
  settings?: ChatSettings,
  clears?: string,
): {
  items: (returnTo: RefObject<HTMLElement | null>) => ReactNode;
  sheet: ReactNode;
} {
  const [asks, ask] = useState<'search' | 'date' | 'media'>();
  const from = useRef<HTMLElement>(null);
  const clearing = useClearing(isMemberChat(chat) && clears !== undefined ? { chat, name: clears } : undefined);
  return {
    items: (returnTo) => (
      <>
        <DropdownMenu.Item
          className="menu-item"
          onSelect={() => {
            from.current = returnTo.current;
            ask('search');
          }}
        >
          <Search aria-hidden="true" />
          {i18n.t('Search in chat')}
        </DropdownMenu.Item>
        <DropdownMenu.Item
          className="menu-item"
          onSelect={() => {
            from.current = returnTo.current;
            ask('date');
          }}
        >
          <CalendarSearch aria-hidden="true" />
          {i18n.t('Jump to a date')}
        </DropdownMenu.Item>
        {isMemberChat(chat) ? (
          <DropdownMenu.Item
            className="menu-item"
            onSelect={() => {
              from.current = returnTo.current;
              ask('media');
            }}
          >
            <Images aria-hidden="true" />
            {i18n.t('Media, files and links')}
          </DropdownMenu.Item>
        ) : null}
        {settings !== undefined && isMemberChat(chat) ? <SettingsItems chat={chat} settings={settings} /> : null}
        {clearing.items(returnTo)}
      </>
    ),
    sheet: (
      <>
        {asks === 'search' ? <SearchSheet scope={chat} onClose={() => ask(undefined)} returnTo={from} /> : null}
        {asks === 'media' && isMemberChat(chat) ? (
          <Suspense fallback={null}>
            <MediaSheet chat={chat} onClose={() => ask(undefined)} returnTo={from} />
          </Suspense>
        ) : null}
        {asks === 'date' ? <JumpSheet chat={chat} onClose={() => ask(undefined)} returnTo={from} /> : null}
        {clearing.dialog}
      </>
    ),
  };
}
