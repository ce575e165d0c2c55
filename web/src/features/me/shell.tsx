import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { House, Settings } from 'lucide-react';
import { StarMark } from '../../ui/brand.tsx';
import { ThemeSwitch } from '../../ui/theme.tsx';
import { IncomingCall } from '../calls/incoming-call.tsx';
import { RealtimeProvider } from '../realtime/stream-context.tsx';

function Frame() {
  const in_call = useLocation({ select: (location) => location.pathname.startsWith('/call/') });
  if (in_call) return <Outlet />;
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <header className="topbar">
        <div className="topbar-inner">
          <Link to="/" className="brand">
            <StarMark />
            Asterism
          </Link>
          <nav aria-label="Areas">
            <Link to="/" className="nav-link" activeOptions={{ exact: true }}>
              <House aria-hidden="true" />
              Home
            </Link>
            <Link to="/settings" className="nav-link">
              <Settings aria-hidden="true" />
              Settings
            </Link>
          </nav>
          <ThemeSwitch />
        </div>
      </header>
      <Outlet />
    </>
  );
}

/** The frame of every signed-in page: the way to the other areas, the realtime stream and whoever rings. */
export function Shell() {
  return (
    <RealtimeProvider>
      <Frame />
      <IncomingCall />
    </RealtimeProvider>
  );
}
