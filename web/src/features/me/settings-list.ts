import {
  Asterisk,
  AtSign,
  Ban,
  Bell,
  CalendarClock,
  CalendarDays,
  Camera,
  Code,
  Gauge,
  KeyRound,
  MailPlus,
  MapPin,
  MonitorSmartphone,
  Smartphone,
  Star,
  Trash2,
  UserRound,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';

export interface Setting {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
}

export const PROFILE = '/settings/profile';

/** Everything under You, in groups: what is the reader's, how the client behaves, how they sign in. */
export const SETTINGS: readonly (readonly Setting[])[] = [
  [
    { to: PROFILE, label: 'Profile', icon: UserRound },
    { to: '/tags', label: 'Your tags', icon: Asterisk },
    { to: '/grid', label: 'Favourites', icon: Star },
    { to: '/calendar', label: 'Calendar', icon: CalendarDays },
    { to: '/map', label: 'Map', icon: MapPin },
    { to: '/scheduled', label: 'Scheduled', icon: CalendarClock },
    { to: '/invites', label: 'Invites', icon: MailPlus },
    { to: '/widgets', label: 'Widgets', icon: Code },
  ],
  [
    { to: '/settings/notifications', label: 'Notifications', icon: Bell },
    { to: '/call-test', label: 'Sound and camera', icon: Camera },
    { to: '/settings/blocks', label: 'Blocked people', icon: Ban },
    { to: '/settings/plan', label: 'Plan', icon: Gauge },
  ],
  [
    { to: '/settings/sessions', label: 'Sessions', icon: MonitorSmartphone },
    { to: '/settings/password', label: 'Password', icon: KeyRound },
    { to: '/verify-mobile', label: 'Mobile', icon: Smartphone },
    { to: '/settings/handles', label: 'IM handles', icon: AtSign },
    { to: '/settings/delete', label: 'Delete account', icon: Trash2 },
  ],
];

/** The title of what is open beside the list; the profile where nothing is. */
export function detailTitle(pathname: string): string {
  return SETTINGS.flat().find(({ to }) => to === pathname.replace(/\/$/, ''))?.label ?? 'Profile';
}
