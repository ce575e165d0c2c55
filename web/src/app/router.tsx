import {
  createRootRoute,
  createRoute,
  createRouter,
  notFound,
  Outlet,
  redirect,
  rootRouteId,
} from '@tanstack/react-router';
import type { ChatStart } from '../features/chat/chat-place.ts';
import { isSignedIn } from '../asterism.ts';
import { readNext } from '../features/auth/after-sign-in.ts';
import { readAt, readView } from '../features/calendar/calendar-search.ts';
import { readInviteToken } from '../features/invites/invite-token.ts';
import * as pages from './pages.ts';
import { pageMotion } from './page-motion.ts';
import { NotFound, PageError } from './error-pages.tsx';
import { Shell } from './shell.tsx';
import { LightboxHost } from '../features/files/lightbox/lightbox-host.tsx';
import { Toasts } from '../ui/overlay/toast.tsx';

function Root() {
  return (
    <>
      <Outlet />
      <LightboxHost />
      <Toasts />
    </>
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

/** Pages for signed-out people; signed-in ones are redirected from those that make no sense for them. */
const onlySignedOut = () => {
  if (isSignedIn()) throw redirect({ to: '/' });
};

const gates = [
  createRoute({
    getParentRoute,
    path: '/sign-in',
    component: pages.SignInPage,
    validateSearch: withNext,
    beforeLoad: onlySignedOut,
  }),
  createRoute({
    getParentRoute,
    path: '/sign-in/code',
    component: pages.LoginCodePage,
    validateSearch: (search: Record<string, unknown>) => ({
      ...withChannel(search),
      login_id: text(search['login_id']) ?? '',
    }),
  }),
  createRoute({
    getParentRoute,
    path: '/register',
    component: pages.RegisterPage,
    validateSearch: (search) => ({ ...withNext(search), ...readInviteToken(search) }),
    beforeLoad: onlySignedOut,
  }),
  createRoute({
    getParentRoute,
    path: '/register/code',
    component: pages.RegistrationCodePage,
    validateSearch: (search: Record<string, unknown>) => ({
      ...withChannel(search),
      registration_id: text(search['registration_id']) ?? '',
    }),
  }),
  createRoute({ getParentRoute, path: '/magic-link', component: pages.MagicLinkPage, validateSearch: withNext }),
  createRoute({ getParentRoute, path: '/magic', component: pages.MagicPage, validateSearch: withToken }),
  createRoute({ getParentRoute, path: '/g/$joinCode', component: pages.GuestPage }),
  createRoute({ getParentRoute, path: '/join-group/$token', component: pages.JoinGroupPage }),
  createRoute({ getParentRoute, path: '/forgot', component: pages.ForgotPage }),
  createRoute({ getParentRoute, path: '/reset', component: pages.ResetPage, validateSearch: withToken }),
] as const;

const signedIn = createRoute({
  getParentRoute,
  id: 'signed-in',
  component: Shell,
  beforeLoad: ({ location, matches }) => {
    if (isSignedIn()) return;
    if (matches.at(-1)?.routeId === '/signed-in/$') throw notFound({ routeId: rootRouteId });
    // A call may admit people without an account.
    const joinCode = /^\/j\/([a-z-]+)$/.exec(location.pathname)?.[1];
    if (joinCode !== undefined) throw redirect({ to: '/g/$joinCode', params: { joinCode } });
    throw redirect({ to: '/sign-in', search: { next: location.href === '/' ? undefined : location.href } });
  },
});
const inside = () => signedIn;

const areas = [
  createRoute({ getParentRoute: inside, path: '/', component: pages.HomePage }),
  createRoute({ getParentRoute: inside, path: '/j/$joinCode', component: pages.JoinPage }),
  createRoute({ getParentRoute: inside, path: '/calendar', component: pages.CalendarPage, validateSearch: readView }),
  createRoute({ getParentRoute: inside, path: '/map', component: pages.MapPage }),
  createRoute({ getParentRoute: inside, path: '/share', component: pages.SharePage }),
  // In the frame, which also holds a call: it goes on at an address that no page has.
  createRoute({ getParentRoute: inside, path: '$', component: NotFound }),
  createRoute({
    getParentRoute: inside,
    path: '/videomail/$handle',
    component: pages.VideomailPage,
    validateSearch: (search: Record<string, unknown>): { conference_id?: string | undefined } => ({
      conference_id: text(search['conference_id']),
    }),
  }),
  createRoute({
    getParentRoute: inside,
    path: '/call/$joinCode',
    component: pages.CallPage,
    validateSearch: (
      search: Record<string, unknown>,
    ): { microphone?: 'off' | undefined; camera?: 'on' | undefined } => ({
      microphone: search['microphone'] === 'off' ? 'off' : undefined,
      camera: search['camera'] === 'on' ? 'on' : undefined,
    }),
  }),
] as const;

const calling = createRoute({ getParentRoute: inside, id: 'calling', component: pages.CallsLayout });
const inCalling = () => calling;

/** The lists, which their layout shows, and what is opened from them. */
const callingPages = [
  createRoute({ getParentRoute: inCalling, path: '/inbox' }),
  createRoute({ getParentRoute: inCalling, path: '/calls' }),
  createRoute({ getParentRoute: inCalling, path: '/grid' }),
  createRoute({ getParentRoute: inCalling, path: '/calls/$conferenceId', component: pages.PastCallPage }),
] as const;

const messaging = createRoute({ getParentRoute: inside, id: 'messaging', component: pages.ChatsLayout });
const inMessaging = () => messaging;

/** The message at which a chat is opened. */
const enteredAt = (search: Record<string, unknown>): { at?: string | undefined } => ({ at: text(search['at']) });
/** Also after which of its messages a chat is opened, at the oldest unread one. */
const enteredAfter = (search: Record<string, unknown>): ChatStart => ({
  at: text(search['at']),
  after: text(search['after']),
});

const messagingPages = [
  createRoute({ getParentRoute: inMessaging, path: '/messages', component: pages.NoChat }),
  createRoute({ getParentRoute: inMessaging, path: '/messages/requests', component: pages.NoChat }),
  createRoute({ getParentRoute: inMessaging, path: '/messages/archived', component: pages.NoChat }),
  createRoute({
    getParentRoute: inMessaging,
    path: '/messages/$threadId',
    component: pages.ThreadPage,
    validateSearch: enteredAfter,
  }),
  createRoute({
    getParentRoute: inMessaging,
    path: '/messages/group/$groupId',
    component: pages.GroupChatPage,
    validateSearch: enteredAfter,
  }),
  createRoute({
    getParentRoute: inMessaging,
    path: '/messages/call/$conferenceId',
    component: pages.CallChatPage,
    validateSearch: enteredAt,
  }),
  createRoute({
    getParentRoute: inMessaging,
    path: '/messages/widget/$widgetId/$guestId',
    component: pages.WidgetChatPage,
    validateSearch: enteredAt,
  }),
] as const;

/** Activity and search, and the pages that they and the feed lead to. */
const reading = createRoute({ getParentRoute: inside, id: 'reading', component: pages.ReadingLayout });
const inReading = () => reading;

const readingPages = [
  createRoute({ getParentRoute: inReading, path: '/notifications' }),
  createRoute({
    getParentRoute: inReading,
    path: '/search',
    validateSearch: (search: Record<string, unknown>): { q?: string | undefined } => ({ q: text(search['q']) }),
  }),
  createRoute({ getParentRoute: inReading, path: '/status/$postId', component: pages.StatusPage }),
  createRoute({ getParentRoute: inReading, path: '/tags/$tagId/profile', component: pages.TagProfileById }),
  createRoute({
    getParentRoute: inReading,
    path: '/calendar/$eventId',
    component: pages.EventPage,
    validateSearch: readAt,
  }),
] as const;

const people = createRoute({ getParentRoute: inReading, id: 'people', component: pages.PeopleLayout });
const inPeople = () => people;

/** The lists, which their layout shows, and what is opened from them. */
const peoplePages = [
  createRoute({ getParentRoute: inPeople, path: '/people' }),
  createRoute({ getParentRoute: inPeople, path: '/people/requests' }),
  createRoute({ getParentRoute: inPeople, path: '/people/followers' }),
  createRoute({ getParentRoute: inPeople, path: '/contacts' }),
  createRoute({ getParentRoute: inPeople, path: '/groups' }),
  createRoute({ getParentRoute: inPeople, path: '/t/$name', component: pages.TagProfilePage }),
  createRoute({ getParentRoute: inPeople, path: '/u/$userId', component: pages.PersonPage }),
  createRoute({ getParentRoute: inPeople, path: '/contacts/import', component: pages.ImportPage }),
  createRoute({ getParentRoute: inPeople, path: '/contacts/$contactId', component: pages.ContactPage }),
  createRoute({ getParentRoute: inPeople, path: '/groups/$groupId', component: pages.GroupPage }),
] as const;

const own = createRoute({ getParentRoute: inReading, id: 'own', component: pages.SettingsLayout });
const inOwn = () => own;

const ownPages = [
  createRoute({ getParentRoute: inOwn, path: '/settings', component: pages.ProfilePage }),
  createRoute({ getParentRoute: inOwn, path: '/settings/profile', component: pages.ProfilePage }),
  createRoute({ getParentRoute: inOwn, path: '/settings/notifications', component: pages.NotificationSettingsPage }),
  createRoute({ getParentRoute: inOwn, path: '/settings/mutes', component: pages.MutesPage }),
  createRoute({ getParentRoute: inOwn, path: '/settings/blocks', component: pages.BlocksPage }),
  createRoute({ getParentRoute: inOwn, path: '/settings/sessions', component: pages.SessionsPage }),
  createRoute({ getParentRoute: inOwn, path: '/settings/password', component: pages.PasswordPage }),
  createRoute({ getParentRoute: inOwn, path: '/settings/handles', component: pages.HandlesPage }),
  createRoute({
    getParentRoute: inOwn,
    path: '/settings/plan',
    component: pages.PlanPage,
    validateSearch: ({ checkout }: Record<string, unknown>): { checkout?: 'paid' | 'cancelled' | undefined } => ({
      checkout: checkout === 'paid' || checkout === 'cancelled' ? checkout : undefined,
    }),
  }),
  createRoute({ getParentRoute: inOwn, path: '/settings/delete', component: pages.DeletePage }),
  createRoute({
    getParentRoute: inOwn,
    path: '/verify-mobile',
    component: pages.MobilePage,
    validateSearch: withNext,
  }),
  createRoute({ getParentRoute: inOwn, path: '/call-test', component: pages.CallTestPage }),
  createRoute({ getParentRoute: inOwn, path: '/scheduled', component: pages.ScheduledPage }),
  createRoute({ getParentRoute: inOwn, path: '/tags', component: pages.TagsPage }),
  createRoute({ getParentRoute: inOwn, path: '/tags/$tagId', component: pages.TagPage }),
  createRoute({ getParentRoute: inOwn, path: '/invites', component: pages.InvitesPage }),
  createRoute({ getParentRoute: inOwn, path: '/widgets', component: pages.WidgetsPage }),
  createRoute({ getParentRoute: inOwn, path: '/widgets/$widgetId', component: pages.WidgetPage }),
] as const;

const tree = root.addChildren([
  ...gates,
  signedIn.addChildren([
    ...areas,
    calling.addChildren([...callingPages]),
    messaging.addChildren([...messagingPages]),
    reading.addChildren([...readingPages, people.addChildren([...peoplePages]), own.addChildren([...ownPages])]),
  ]),
]);

/** Every page of the client under `/app`. */
export const router = createRouter({
  routeTree: tree,
  basepath: '/app',
  // A chat opens at its newest message, or where its address says, and not at the scroll position of another.
  scrollRestoration: ({ location }) => !/\/messages\/(?!requests|archived)/.test(location.pathname),
  defaultErrorComponent: PageError,
  defaultViewTransition: pageMotion,
});

/** Starts to load the code of the page at the address, beside the language and what is stored on the device. */
export function preloadFirstPage(): void {
  const matches = router.matchRoutes(router.state.location);
  const leads_to_sign_in = !isSignedIn() && matches.some(({ routeId }) => routeId === signedIn.id);
  const components = matches.map(
    ({ routeId }) => router.routesById[routeId as keyof typeof router.routesById].options.component,
  );
  // The page itself says that it could not be loaded.
  for (const page of leads_to_sign_in ? [pages.SignInPage] : components) page?.preload?.()?.catch(() => undefined);
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
