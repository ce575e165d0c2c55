import { createRootRoute, createRoute, createRouter, Link, Outlet, redirect } from '@tanstack/react-router';
import { isSignedIn } from './asterism.ts';
import { readNext } from './features/auth/after-sign-in.ts';
import { LoginCodePage, RegistrationCodePage } from './features/auth/code-pages.tsx';
import { ForgotPage, MagicLinkPage, MagicPage } from './features/auth/link-pages.tsx';
import { RegisterPage } from './features/auth/register-page.tsx';
import { ResetPage } from './features/auth/reset-page.tsx';
import { SignInPage } from './features/auth/sign-in-page.tsx';
import { HomePage } from './features/home/home-page.tsx';
import { MobilePage } from './features/me/mobile-page.tsx';
import { Shell } from './features/me/shell.tsx';
import { Toasts } from './ui/toast.tsx';

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
      <h1>There is nothing here</h1>
      <Link to="/" className="button">
        Go home
      </Link>
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
    validateSearch: withNext,
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

const areas = [
  createRoute({ getParentRoute: inside, path: '/', component: HomePage }),
  createRoute({ getParentRoute: inside, path: '/verify-mobile', component: MobilePage, validateSearch: withNext }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([...gates, signedIn.addChildren([...areas])]),
  basepath: '/app',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
