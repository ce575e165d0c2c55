import type { Person } from '@asterism/sdk';
import { useQuery } from '@tanstack/react-query';
import { Volume2, VolumeX } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { i18n } from '../../i18n/i18n.ts';
import { nameOf } from '../../ui/avatar.tsx';
import { personQuery } from '../../data/queries/person-queries.ts';
import { useMute, useUnmute } from './mute-mutations.ts';

/** A menu item that mutes or unmutes somebody. Until it is known which, it mutes, which is idempotent. */
export function MuteItem({ person }: { person: Person }) {
  const is_muted = useQuery(personQuery(person.id)).data?.muted === true;
  const mute = useMute();
  const unmute = useUnmute();
  const name = nameOf(person);
  const Icon = is_muted ? Volume2 : VolumeX;
  return (
    <DropdownMenu.Item className="menu-item" onSelect={() => (is_muted ? unmute : mute).mutate(person)}>
      <Icon aria-hidden="true" />
      {is_muted ? i18n.t('Unmute {name}', { name }) : i18n.t('Mute {name}', { name })}
    </DropdownMenu.Item>
  );
}
