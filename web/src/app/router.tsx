import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { isSignedIn } from '../asterism.ts';
import { readNext } from '../features/auth/after-sign-in.ts';
import { LoginCodePage, RegistrationCodePage } from '../features/auth/code-pages.tsx';
import { ForgotPage, MagicLinkPage, MagicPage } from '../features/auth/link-pages.tsx';
import { RegisterPage } from '../features/auth/register-page.tsx';
import { ResetPage } from '../features/auth/reset-page.tsx';
import { SignInPage } from '../features/auth/sign-in-page.tsx';
import { readAt, readView } from '../features/calendar/calendar-search.ts';
import { JoinPage } from '../features/calls/join-page.tsx';
import { DeletePage } from '../features/me/delete-page.tsx';
import { HandlesPage } from '../features/me/handles-page.tsx';
import { readInviteToken } from '../features/invites/invite-token.ts';
import { MobilePage } from '../features/me/mobile-page.tsx';
import { PasswordPage } from '../features/me/password-page.tsx';
import { ProfilePage } from '../features/me/profile-page.tsx';
import { SessionsPage } from '../features/me/sessions-page.tsx';
import { SettingsLayout } from '../features/me/settings-layout.tsx';
import * as chats from './chat-pages.ts';
import { Shell } from './shell.tsx';
import { PageHeading } from '../ui/page.tsx';
import { Net } from '../ui/tag-sky.tsx';
import { Toasts } from '../ui/toast.tsx';

function Root() {
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  );
}

function NotFound() {
  return (
    <main id="main" className="centre">
      <Net name="nothing here" />
      <PageHeading title="There is nothing here" />
      <p className="soft">The address may be mistyped, or what was here is gone.</p>
      <Link to="/" className="btn primary">
        Go home
      </Link>
    </main>
  );
}

/** Shown where a page itself has failed, or its code could not be fetched. */
function Broken() {
  return (
    <main id="main" className="centre">
      <PageHeading title="This page cannot be shown" />
      <p className="soft">Something in it went wrong, or the network was gone while it was fetched.</p>
      <button type="button" className="btn primary" onClick={() => location.reload()}>
        Load it again
      </button>
    </main>
  );
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
const withNext = (search: Record<string, unknown>): { next?: string | undefined } => ({
  next: readNext(search['next']),
});
const withToken = (search: Record<string, unknown>) => ({ token: text(search['token']) ?? '' });
const withChannel = (search: Record<string, unknown>) => ({
  ...withNext(search),
  channel: text(search['channel']),
  sent_to: text(search['sent_to']),
});

const root = createRootRoute({ component: Root, notFoundComponent: NotFound });
const getParentRoute = () => root;

/** Pages for people who are not signed in; others are sent home from those that would make no sense. */
const onlySignedOut = () => {
  if (isSignedIn()) throw redirect({ to: '/' });
};

const gates = [
  createRoute({
    getParentRoute,
    path: '/sign-in',
    component: SignInPage,
    validateSearch: withNext,
    beforeLoad: onlySignedOut,
  }),
  createRoute({
    getParentRoute,
    path: '/sign-in/code',
    component: LoginCodePage,
    validateSearch: (search: Record<string, unknown>) => ({
      ...withChannel(search),
      login_id: text(search['login_id']) ?? '',
    }),
  }),
  createRoute({
    getParentRoute,
    path: '/register',
    component: RegisterPage,
    validateSearch: (search) => ({ ...withNext(search), ...readInviteToken(search) }),
    beforeLoad: onlySignedOut,
  }),
  createRoute({
    getParentRoute,
    path: '/register/code',
    component: RegistrationCodePage,
    validateSearch: (search: Record<string, unknown>) => ({
      ...withChannel(search),
      registration_id: text(search['registration_id']) ?? '',
    }),
  }),
  createRoute({ getParentRoute, path: '/magic-link', component: MagicLinkPage, validateSearch: withNext }),
  createRoute({ getParentRoute, path: '/magic', component: MagicPage, validateSearch: withToken }),
  createRoute({ getParentRoute, path: '/forgot', component: ForgotPage }),
  createRoute({ getParentRoute, path: '/reset', component: ResetPage, validateSearch: withToken }),
] as const;

const signedIn = createRoute({
  getParentRoute,
  id: 'signed-in',
  component: Shell,
  beforeLoad: ({ location }) => {
    if (!isSignedIn())
      throw redirect({ to: '/sign-in', search: { next: location.href === '/' ? undefined : location.href } });
  },
});
const inside = () => signedIn;

const HomePage = lazyRouteComponent(() => import('../features/home/home-page.tsx'), 'HomePage');
const TagsPage = lazyRouteComponent(() => import('../features/tags/tags-page.tsx'), 'TagsPage');
const TagPage = lazyRouteComponent(() => import('../features/tags/tag-page.tsx'), 'TagPage');
const TagProfilePage = lazyRouteComponent(() => import('../features/profiles/tag-profile-page.tsx'), 'TagProfilePage');
const TagProfileById = lazyRouteComponent(() => import('../features/profiles/tag-profile-by-id.tsx'), 'TagProfileById');
const StatusPage = lazyRouteComponent(() => import('../features/statuses/status-page.tsx'), 'StatusPage');
const SearchPage = lazyRouteComponent(() => import('../features/search/search-page.tsx'), 'SearchPage');
const PeopleLayout = lazyRouteComponent(() => import('../features/follows/people-layout.tsx'), 'PeopleLayout');
const FollowsPage = lazyRouteComponent(() => import('../features/follows/follows-page.tsx'), 'FollowsPage');
const RequestsPage = lazyRouteComponent(() => import('../features/follows/requests-page.tsx'), 'RequestsPage');
const FollowersPage = lazyRouteComponent(() => import('../features/follows/followers-page.tsx'), 'FollowersPage');
const NotificationsPage = lazyRouteComponent(
  () => import('../features/notifications/notifications-page.tsx'),
  'NotificationsPage',
);
const NotificationSettingsPage = lazyRouteComponent(
  () => import('../features/notifications/notification-settings-page.tsx'),
  'NotificationSettingsPage',
);
const CallsLayout = lazyRouteComponent(() => import('../features/history/calls-layout.tsx'), 'CallsLayout');
const InboxPage = lazyRouteComponent(() => import('../features/inbox/inbox-page.tsx'), 'InboxPage');
const HistoryPage = lazyRouteComponent(() => import('../features/history/history-page.tsx'), 'HistoryPage');
const GridPage = lazyRouteComponent(() => import('../features/grid/grid-page.tsx'), 'GridPage');
const ContactsPage = lazyRouteComponent(() => import('../features/contacts/contacts-page.tsx'), 'ContactsPage');
const ImportPage = lazyRouteComponent(() => import('../features/contacts/import-page.tsx'), 'ImportPage');
const GroupsPage = lazyRouteComponent(() => import('../features/groups/groups-page.tsx'), 'GroupsPage');
const GroupPage = lazyRouteComponent(() => import('../features/groups/group-page.tsx'), 'GroupPage');
const VideomailPage = lazyRouteComponent(() => import('../features/videomail/videomail-page.tsx'), 'VideomailPage');
const PlanPage = lazyRouteComponent(() => import('../features/billing/plan-page.tsx'), 'PlanPage');
const CalendarPage = lazyRouteComponent(() => import('../features/calendar/calendar-page.tsx'), 'CalendarPage');
const ScheduledPage = lazyRouteComponent(() => import('../features/scheduled/scheduled-page.tsx'), 'ScheduledPage');
const EventPage = lazyRouteComponent(() => import('../features/calendar/event-page.tsx'), 'EventPage');
const BlocksPage = lazyRouteComponent(() => import('../features/blocks/blocks-page.tsx'), 'BlocksPage');

/**
 * Fetches the small pages ahead of their use, so that none is missing when the network is; the media client, which is
 * most of the code, is not among them.
 */
export function preloadPages(): void {
  const pages = [HomePage, SearchPage, TagsPage, TagPage, TagProfilePage, StatusPage, NotificationsPage];
  const calls = [CallsLayout, InboxPage, HistoryPage, GridPage, ContactsPage, ImportPage, GroupsPage, GroupPage];
  const messages = [chats.ChatsLayout, chats.NoChat, chats.ThreadPage, chats.GroupChatPage];
  const people = [PeopleLayout, FollowsPage, RequestsPage, FollowersPage];
  const lists = [...calls, ...messages, ...people, NotificationSettingsPage, BlocksPage, PlanPage];
  // What does not come now is asked for again when it is needed.
  for (const page of [...pages, ...lists]) page.preload?.()?.catch(() => undefined);
}

/** The media client is most of the code, so it is fetched only when somebody calls. */
const CallPage = lazyRouteComponent(() => import('../features/calls/call-page.tsx'), 'CallPage');
const CallTestPage = lazyRouteComponent(() => import('../features/calls/call-test-page.tsx'), 'CallTestPage');

const areas = [
  createRoute({ getParentRoute: inside, path: '/', component: HomePage }),
  createRoute({ getParentRoute: inside, path: '/verify-mobile', component: MobilePage, validateSearch: withNext }),
  createRoute({ getParentRoute: inside, path: '/j/$joinCode', component: JoinPage }),
  createRoute({ getParentRoute: inside, path: '/call-test', component: CallTestPage }),
  createRoute({
    getParentRoute: inside,
    path: '/search',
    component: SearchPage,
    validateSearch: (search: Record<string, unknown>): { q?: string | undefined } => ({ q: text(search['q']) }),
  }),
  createRoute({ getParentRoute: inside, path: '/calendar', component: CalendarPage, validateSearch: readView }),
  createRoute({ getParentRoute: inside, path: '/calendar/$eventId', component: EventPage, validateSearch: readAt }),
  createRoute({ getParentRoute: inside, path: '/scheduled', component: ScheduledPage }),
  createRoute({ getParentRoute: inside, path: '/tags', component: TagsPage }),
  createRoute({ getParentRoute: inside, path: '/tags/$tagId', component: TagPage }),
  createRoute({ getParentRoute: inside, path: '/tags/$tagId/profile', component: TagProfileById }),
  createRoute({ getParentRoute: inside, path: '/t/$name', component: TagProfilePage }),
  createRoute({ getParentRoute: inside, path: '/status/$postId', component: StatusPage }),
  createRoute({ getParentRoute: inside, path: '/map', component: chats.MapPage }),
  createRoute({ getParentRoute: inside, path: '/invites', component: chats.InvitesPage }),
  createRoute({ getParentRoute: inside, path: '/widgets', component: chats.WidgetsPage }),
  createRoute({ getParentRoute: inside, path: '/widgets/$widgetId', component: chats.WidgetPage }),
  createRoute({ getParentRoute: inside, path: '/notifications', component: NotificationsPage }),
  createRoute({ getParentRoute: inside, path: '/contacts/import', component: ImportPage }),
  createRoute({ getParentRoute: inside, path: '/groups/$groupId', component: GroupPage }),
  createRoute({
    getParentRoute: inside,
    path: '/videomail/$handle',
    component: VideomailPage,
    validateSearch: (search: Record<string, unknown>): { conference_id?: string | undefined } => ({
      conference_id: text(search['conference_id']),
    }),
  }),
  createRoute({
    getParentRoute: inside,
    path: '/call/$joinCode',
    component: CallPage,
    validateSearch: (
      search: Record<string, unknown>,
    ): { microphone?: 'off' | undefined; camera?: 'on' | undefined } => ({
      microphone: search['microphone'] === 'off' ? 'off' : undefined,
      camera: search['camera'] === 'on' ? 'on' : undefined,
    }),
  }),
] as const;

const calling = createRoute({ getParentRoute: inside, id: 'calling', component: CallsLayout });
const inCalling = () => calling;

const callingPages = [
  createRoute({ getParentRoute: inCalling, path: '/inbox', component: InboxPage }),
  createRoute({ getParentRoute: inCalling, path: '/calls', component: HistoryPage }),
  createRoute({ getParentRoute: inCalling, path: '/grid', component: GridPage }),
] as const;

const messaging = createRoute({ getParentRoute: inside, id: 'messaging', component: chats.ChatsLayout });
const inMessaging = () => messaging;

const messagingPages = [
  createRoute({ getParentRoute: inMessaging, path: '/messages', component: chats.NoChat }),
  createRoute({ getParentRoute: inMessaging, path: '/messages/requests', component: chats.NoChat }),
  createRoute({ getParentRoute: inMessaging, path: '/messages/$threadId', component: chats.ThreadPage }),
  createRoute({ getParentRoute: inMessaging, path: '/messages/group/$groupId', component: chats.GroupChatPage }),
  createRoute({
    getParentRoute: inMessaging,
    path: '/messages/widget/$widgetId/$guestId',
    component: chats.WidgetChatPage,
  }),
] as const;

const people = createRoute({ getParentRoute: inside, id: 'people-lists', component: PeopleLayout });
const inPeople = () => people;

const peoplePages = [
  createRoute({ getParentRoute: inPeople, path: '/people', component: FollowsPage }),
  createRoute({ getParentRoute: inPeople, path: '/people/requests', component: RequestsPage }),
  createRoute({ getParentRoute: inPeople, path: '/people/followers', component: FollowersPage }),
  createRoute({ getParentRoute: inPeople, path: '/contacts', component: ContactsPage }),
  createRoute({ getParentRoute: inPeople, path: '/groups', component: GroupsPage }),
] as const;

const settings = createRoute({ getParentRoute: inside, path: '/settings', component: SettingsLayout });
const inSettings = () => settings;

const settingsPages = [
  createRoute({ getParentRoute: inSettings, path: '/', component: ProfilePage }),
  createRoute({ getParentRoute: inSettings, path: '/profile', component: ProfilePage }),
  createRoute({ getParentRoute: inSettings, path: '/notifications', component: NotificationSettingsPage }),
  createRoute({ getParentRoute: inSettings, path: '/blocks', component: BlocksPage }),
  createRoute({ getParentRoute: inSettings, path: '/sessions', component: SessionsPage }),
  createRoute({ getParentRoute: inSettings, path: '/password', component: PasswordPage }),
  createRoute({ getParentRoute: inSettings, path: '/handles', component: HandlesPage }),
  createRoute({ getParentRoute: inSettings, path: '/plan', component: PlanPage }),
  createRoute({ getParentRoute: inSettings, path: '/delete', component: DeletePage }),
] as const;

const tree = root.addChildren([
  ...gates,
  signedIn.addChildren([
    ...areas,
    calling.addChildren([...callingPages]),
    messaging.addChildren([...messagingPages]),
    people.addChildren([...peoplePages]),
    settings.addChildren([...settingsPages]),
  ]),
]);

/** Every page of the client under `/app`. */
export const router = createRouter({
  routeTree: tree,
  basepath: '/app',
  scrollRestoration: true,
  defaultErrorComponent: Broken,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
