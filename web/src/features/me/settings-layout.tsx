import { Link } from '@tanstack/react-router';
import {
  Asterisk,
  AtSign,
  Ban,
  Bell,
  CalendarDays,
  Clock,
  Gauge,
  KeyRound,
  MonitorSmartphone,
  Smartphone,
  Trash2,
  UserRound,
} from 'lucide-react';
import { SectionLayout } from '../../ui/section-layout.tsx';

const AREAS = [
  { to: '/settings', label: 'Profile', icon: UserRound },
  { to: '/settings/notifications', label: 'Notifications', icon: Bell },
  { to: '/settings/blocks', label: 'Blocked people', icon: Ban },
  { to: '/settings/sessions', label: 'Sessions', icon: MonitorSmartphone },
  { to: '/settings/password', label: 'Password', icon: KeyRound },
  { to: '/settings/handles', label: 'IM handles', icon: AtSign },
  { to: '/settings/plan', label: 'Plan', icon: Gauge },
  { to: '/settings/delete', label: 'Delete account', icon: Trash2 },
] as const;

/** The frame of the settings with the way between them. */
export function SettingsLayout() {
  return (
    <SectionLayout title="You">
      <Link to="/tags" className="chip">
        <Asterisk aria-hidden="true" />
        Your tags
      </Link>
      <Link to="/calendar" className="chip">
        <CalendarDays aria-hidden="true" />
        Calendar
      </Link>
      <Link to="/scheduled" className="chip">
        <Clock aria-hidden="true" />
        Scheduled
      </Link>
      {AREAS.map(({ to, label, icon: Icon }) => (
        <Link key={to} to={to} className="chip" activeOptions={{ exact: true }}>
          <Icon aria-hidden="true" />
          {label}
        </Link>
      ))}
      <Link to="/verify-mobile" className="chip">
        <Smartphone aria-hidden="true" />
        Mobile
      </Link>
    </SectionLayout>
  );
}
