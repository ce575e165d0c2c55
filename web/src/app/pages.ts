/** The pages, each loaded when it is first opened or preloaded. */
import { lazyRouteComponent } from '@tanstack/react-router';
import { RingCard } from '../features/calls/incoming/incoming-call.tsx';
import { ComposeSheet, EditStatus, OpenStatusMenu, Replies } from '../features/statuses/lazy-parts.ts';
import { Lightbox } from '../features/files/lightbox/lightbox-host.tsx';
import { DownloadCard } from '../features/files/media-view.tsx';
import { SheetParts } from '../ui/overlay/sheet/sheet.tsx';
import { idle } from './idle.ts';

export const HomePage = lazyRouteComponent(() => import('../features/home/home-page.tsx'), 'HomePage');
export const TagsPage = lazyRouteComponent(() => import('../features/tags/tags-page.tsx'), 'TagsPage');
export const TagPage = lazyRouteComponent(() => import('../features/tags/tag-page.tsx'), 'TagPage');
export const TagProfilePage = lazyRouteComponent(
  () => import('../features/profiles/tag-profile-page.tsx'),
  'TagProfilePage',
);
export const TagProfileById = lazyRouteComponent(
  () => import('../features/profiles/tag-profile-by-id.tsx'),
  'TagProfileById',
);
export const PersonPage = lazyRouteComponent(() => import('../features/people/person-page.tsx'), 'PersonPage');
export const StatusPage = lazyRouteComponent(() => import('../features/statuses/status-page.tsx'), 'StatusPage');
export const ReadingLayout = lazyRouteComponent(() => import('./reading-layout.tsx'), 'ReadingLayout');
export const PeopleLayout = lazyRouteComponent(() => import('./people-layout.tsx'), 'PeopleLayout');
export const NotificationSettingsPage = lazyRouteComponent(
  () => import('../features/notifications/notification-settings-page.tsx'),
  'NotificationSettingsPage',
);
export const CallsLayout = lazyRouteComponent(() => import('../features/history/calls-layout.tsx'), 'CallsLayout');
export const ContactPage = lazyRouteComponent(() => import('../features/contacts/contact-page.tsx'), 'ContactPage');
export const PastCallPage = lazyRouteComponent(() => import('../features/history/past-call-page.tsx'), 'PastCallPage');
export const ImportPage = lazyRouteComponent(() => import('../features/contacts/import/import-page.tsx'), 'ImportPage');
export const GroupPage = lazyRouteComponent(() => import('../features/groups/group-page.tsx'), 'GroupPage');
export const JoinGroupPage = lazyRouteComponent(
  () => import('../features/groups/join-group-page.tsx'),
  'JoinGroupPage',
);
export const VideomailPage = lazyRouteComponent(
  () => import('../features/videomail/videomail-page.tsx'),
  'VideomailPage',
);
export const PlanPage = lazyRouteComponent(() => import('../features/billing/plan-page.tsx'), 'PlanPage');
export const CalendarPage = lazyRouteComponent(() => import('../features/calendar/calendar-page.tsx'), 'CalendarPage');
export const ScheduledPage = lazyRouteComponent(
  () => import('../features/scheduled/scheduled-page.tsx'),
  'ScheduledPage',
);
export const EventPage = lazyRouteComponent(() => import('../features/calendar/event/event-page.tsx'), 'EventPage');
export const MutesPage = lazyRouteComponent(() => import('../features/blocks/mutes-page.tsx'), 'MutesPage');
export const BlocksPage = lazyRouteComponent(() => import('../features/blocks/blocks-page.tsx'), 'BlocksPage');
/** The media client is most of the code, so that it is loaded only for a call. */
export const CallPage = lazyRouteComponent(() => import('../features/calls/call-page.tsx'), 'CallPage');
export const CallTestPage = lazyRouteComponent(
  () => import('../features/calls/lobby/call-test-page.tsx'),
  'CallTestPage',
);
export const GuestPage = lazyRouteComponent(() => import('../features/calls/guest/guest-page.tsx'), 'GuestPage');
export const MapPage = lazyRouteComponent(() => import('../features/location/map-page.tsx'), 'MapPage');
export const InvitesPage = lazyRouteComponent(() => import('../features/invites/invites-page.tsx'), 'InvitesPage');
export const WidgetsPage = lazyRouteComponent(() => import('../features/widgets/widgets-page.tsx'), 'WidgetsPage');
export const WidgetPage = lazyRouteComponent(() => import('../features/widgets/widget-page.tsx'), 'WidgetPage');
export const SharePage = lazyRouteComponent(() => import('../features/share/share-page.tsx'), 'SharePage');
export const ChatsLayout = lazyRouteComponent(() => import('../features/messages/chats-layout.tsx'), 'ChatsLayout');
export const NoChat = lazyRouteComponent(() => import('../features/messages/no-chat.tsx'), 'NoChat');
export const GroupChatPage = lazyRouteComponent(
  () => import('../features/messages/group-chat-page.tsx'),
  'GroupChatPage',
);
export const CallChatPage = lazyRouteComponent(() => import('../features/messages/call-chat-page.tsx'), 'CallChatPage');
export const WidgetChatPage = lazyRouteComponent(
  () => import('../features/messages/widget-chat-page.tsx'),
  'WidgetChatPage',
);
export const ThreadPage = lazyRouteComponent(() => import('../features/messages/thread-page.tsx'), 'ThreadPage');

const auth = () => import('../features/auth/auth-pages.ts');
export const SignInPage = lazyRouteComponent(auth, 'SignInPage');
export const LoginCodePage = lazyRouteComponent(auth, 'LoginCodePage');
export const RegisterPage = lazyRouteComponent(auth, 'RegisterPage');
export const RegistrationCodePage = lazyRouteComponent(auth, 'RegistrationCodePage');
export const MagicLinkPage = lazyRouteComponent(auth, 'MagicLinkPage');
export const MagicPage = lazyRouteComponent(auth, 'MagicPage');
export const ForgotPage = lazyRouteComponent(auth, 'ForgotPage');
export const ResetPage = lazyRouteComponent(auth, 'ResetPage');

const settings = () => import('../features/me/settings-pages.ts');
export const SettingsLayout = lazyRouteComponent(settings, 'SettingsLayout');
export const ProfilePage = lazyRouteComponent(settings, 'ProfilePage');
export const SessionsPage = lazyRouteComponent(settings, 'SessionsPage');
export const PasswordPage = lazyRouteComponent(settings, 'PasswordPage');
export const HandlesPage = lazyRouteComponent(settings, 'HandlesPage');
export const MobilePage = lazyRouteComponent(settings, 'MobilePage');
export const DeletePage = lazyRouteComponent(settings, 'DeletePage');
export const JoinPage = lazyRouteComponent(() => import('../features/calls/lobby/join-page.tsx'), 'JoinPage');

/** Preloads what the pages open first, so that it is available at once, one part at a time between other work. */
export async function preloadParts(): Promise<void> {
  const on_feed = [DownloadCard, Lightbox, SheetParts, ComposeSheet, OpenStatusMenu, EditStatus, Replies];
  for (const part of [RingCard, ...on_feed]) {
    await idle();
    await part.preload?.()?.catch(() => undefined);
  }
}

/**
 * Preloads the small pages, so that they are available offline; the media client, which is most of the code, is not
 * included.
 */
export async function preloadPages(): Promise<void> {
  const pages = [HomePage, ReadingLayout, TagsPage, TagPage, TagProfilePage, StatusPage];
  const calls = [CallsLayout, PastCallPage, ImportPage, ContactPage, GroupPage];
  const messages = [ChatsLayout, NoChat, ThreadPage, GroupChatPage, SharePage];
  const own = [SettingsLayout, ProfilePage, MobilePage];
  const people = [PersonPage, PeopleLayout];
  const lists = [...calls, ...messages, ...people, ...own, NotificationSettingsPage, BlocksPage, MutesPage, PlanPage];
  // Where signing out leads.
  lists.push(SignInPage);
  for (const page of [...pages, ...lists]) {
    await idle();
    // A part that fails to load now is loaded when it is needed.
    await page.preload?.()?.catch(() => undefined);
  }
}
