import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { AtSign, Ban, Bell, KeyRound, MonitorSmartphone, Smartphone, Trash2, UserRound } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Page } from '../../ui/page.tsx';

const AREAS = [
  { to: '/settings', label: 'Profile', icon: UserRound },
  { to: '/settings/notifications', label: 'Notifications', icon: Bell },
  { to: '/settings/blocks', label: 'Blocked people', icon: Ban },
  { to: '/settings/sessions', label: 'Sessions', icon: MonitorSmartphone },
  { to: '/settings/password', label: 'Password', icon: KeyRound },
  { to: '/settings/handles', label: 'IM handles', icon: AtSign },
  { to: '/settings/delete', label: 'Delete account', icon: Trash2 },
] as const;

/** The frame of the settings with the way between them. */
export function SettingsLayout() {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // On a phone the way between the settings is wider than the page: what is shown is brought into sight.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [pathname]);
  return (
    <Page title="Settings">
      <div className="settings">
        <nav ref={nav} className="settings-nav" aria-label="Settings">
          {AREAS.map(({ to, label, icon: Icon }) => (
            <Link key={to} to={to} className="nav-link" activeOptions={{ exact: true }}>
              <Icon aria-hidden="true" />
              {label}
            </Link>
          ))}
          <Link to="/verify-mobile" className="nav-link">
            <Smartphone aria-hidden="true" />
            Mobile
          </Link>
        </nav>
        <div className="stack">
          <Outlet />
        </div>
      </div>
    </Page>
  );
}
