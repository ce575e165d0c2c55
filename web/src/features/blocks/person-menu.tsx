import type { Person } from '@asterism/sdk';
import { Link } from '@tanstack/react-router';
import { Ban, Flag, MessageSquare, UserRound } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { nameOf } from '../../ui/avatar.tsx';
import { useListBeside } from '../../ui/hooks/use-list-beside.ts';
import { MoreMenu } from '../../ui/overlay/more-menu.tsx';
import { useMenu } from '../../ui/overlay/use-menu.ts';
import { useOpenThread } from '../../data/open-thread.ts';
import { BlockDialog } from './block-dialog.tsx';
import { MuteItem } from './mute-item.tsx';
import { ReportDialog } from './report-dialog.tsx';
import { i18n } from '../../i18n/i18n.ts';

interface PersonMenuProps {
  person: Person;
  /** The chat with them or their page, which the menu then does not lead to. */
  at?: 'chat' | 'page';
  /** Additional items for a context; they come first. @param returnTo the element that is focused afterwards */
  first?: (returnTo: RefObject<HTMLElement | null>) => ReactNode;
}

/** Actions for a person, wherever they appear. */
export function PersonMenu({ person, at, first }: PersonMenuProps) {
  const menu = useMenu();
  const beside = useListBeside();
  const [asking, ask] = useState<'block' | 'report'>();
  const open = useOpenThread();
  const dialog = { onClose: () => ask(undefined), returnTo: menu.trigger.ref };
  return (
    <>
      <MoreMenu menu={menu} label={i18n.t('More about {name}', { name: nameOf(person) })}>
        {first?.(menu.trigger.ref)}
        {at === 'page' ? null : (
          <DropdownMenu.Item className="menu-item" asChild>
            <Link to="/u/$userId" params={{ userId: person.id }} state={beside}>
              <UserRound aria-hidden="true" />
              {i18n.t('View profile')}
            </Link>
          </DropdownMenu.Item>
        )}
        {at === undefined ? (
          <DropdownMenu.Item className="menu-item" onSelect={() => open.mutate({ user_id: person.id })}>
            <MessageSquare aria-hidden="true" />
            {i18n.t('Message {name}', { name: nameOf(person) })}
          </DropdownMenu.Item>
        ) : null}
        <MuteItem person={person} />
        <DropdownMenu.Item className="menu-item" onSelect={() => ask('report')}>
          <Flag aria-hidden="true" />
          {i18n.t('Report {name}', { name: nameOf(person) })}
        </DropdownMenu.Item>
        <DropdownMenu.Item className="menu-item" onSelect={() => ask('block')}>
          <Ban aria-hidden="true" />
          {i18n.t('Block @{username}', { username: person.username })}
        </DropdownMenu.Item>
      </MoreMenu>
      <BlockDialog {...dialog} person={person} open={asking === 'block'} />
      <ReportDialog
        {...dialog}
        target={{ type: 'user', id: person.id, name: nameOf(person) }}
        open={asking === 'report'}
      />
    </>
  );
}
