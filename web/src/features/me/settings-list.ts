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
  VolumeX,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { i18n } from '../../i18n/i18n.ts';

export interface Setting {
  readonly to: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Whether a wide window leads to it from the rail or another section instead. */
  readonly for_phone?: true;
}

export const PROFILE = '/settings/profile';

/** The pages of the section You, in groups: the reader's content, the client's settings, and signing in. */
export const SETTINGS: readonly (readonly Setting[])[] = [
  [
    {
      to: PROFILE,
      get label() {
        return i18n.t('Profile');
      },
      icon: UserRound,
    },
    {
      to: '/tags',
      get label() {
        return i18n.t('Your tags');
      },
      icon: Asterisk,
    },
    {
      to: '/grid',
      get label() {
        return i18n.t('Favourites');
      },
      icon: Star,
      for_phone: true,
    },
    {
      to: '/calendar',
      get label() {
        return i18n.t('Calendar');
      },
      icon: CalendarDays,
      for_phone: true,
    },
    {
      to: '/map',
      get label() {
        return i18n.t('Map');
      },
      icon: MapPin,
      for_phone: true,
    },
    {
      to: '/scheduled',
      get label() {
        return i18n.t('Scheduled');
      },
      icon: CalendarClock,
    },
    {
      to: '/invites',
      get label() {
        return i18n.t('Invites');
      },
      icon: MailPlus,
    },
    {
      to: '/widgets',
      get label() {
        return i18n.t('Widgets');
      },
      icon: Code,
    },
  ],
  [
    {
      to: '/settings/notifications',
      get label() {
        return i18n.t('Notifications');
      },
      icon: Bell,
    },
    {
      to: '/call-test',
      get label() {
        return i18n.t('Audio and video');
      },
      icon: Camera,
    },
    {
      to: '/settings/mutes',
      get label() {
        return i18n.t('Muted people');
      },
      icon: VolumeX,
    },
    {
      to: '/settings/blocks',
      get label() {
        return i18n.t('Blocked people');
      },
      icon: Ban,
    },
    {
      to: '/settings/plan',
      get label() {
        return i18n.t('Plan');
      },
      icon: Gauge,
    },
  ],
  [
    {
      to: '/settings/sessions',
      get label() {
        return i18n.t('Sessions');
      },
      icon: MonitorSmartphone,
    },
    {
      to: '/settings/password',
      get label() {
        return i18n.t('Password');
      },
      icon: KeyRound,
    },
    {
      to: '/verify-mobile',
      get label() {
        return i18n.t('Mobile');
      },
      icon: Smartphone,
    },
    {
      to: '/settings/handles',
      get label() {
        return i18n.t('Other accounts');
      },
      icon: AtSign,
    },
    {
      to: '/settings/delete',
      get label() {
        return i18n.t('Delete account');
      },
      icon: Trash2,
    },
  ],
];

/** The title of the page beside the list; the profile's if none is open. */
export function detailTitle(pathname: string): string {
  return SETTINGS.flat().find(({ to }) => to === pathname.replace(/\/$/, ''))?.label ?? i18n.t('Profile');
}
