import type { Reply } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowRightLeft, ShieldCheck, ShieldOff, UserX } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef, useState, type RefObject } from 'react';
import { sdk } from '../../asterism.ts';
import { groupQuery, refetchGroups, useGroupMutation } from '../../data/queries/group-queries.ts';
import type { GroupMember } from '../../data/queries/group-queries.ts';
import { ConfirmDialog } from '../../ui/overlay/confirm.tsx';
import { showToast } from '../../ui/overlay/toast.tsx';
import { MoreMenu } from '../../ui/overlay/more-menu.tsx';
import { useMenu } from '../../ui/overlay/use-menu.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { i18n } from '../../i18n/i18n.ts';

type Person = NonNullable<GroupMember['user']>;

interface MemberMenuProps {
  group_id: string;
  /** A member with an account. */
  member: GroupMember & { user: Person };
  /** What happens to somebody who is removed. */
  removal: string;
  onRemove: () => void;
  /** What has the focus when the menu of the member is gone. */
  heading: RefObject<HTMLElement | null>;
}

/** Makes the member the owner: the reader is an ordinary member afterwards, who sees another page. */
function useTransfer(group_id: string, { name, user }: MemberMenuProps['member']) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => sdk.groups.transferGroup({ path: { group_id }, body: { user_id: user.id } }),
    onSuccess: (group: Reply<'groups', 'transferGroup'>) => {
      queries.setQueryData(groupQuery(group_id).queryKey, group);
      showToast(i18n.t('{name} is the owner now.', { name }));
    },
    onError: (error) => showToast(describeProblem(error)),
    onSettled: () => refetchGroups(queries),
  });
}

/** What the owner of a group may do with a member who has an account. */
export function MemberMenu({ group_id, member, removal, onRemove, heading }: MemberMenuProps) {
  const menu = useMenu();
  const [asked, setAsked] = useState<'transfer' | 'remove'>();
  const returnTo = useRef<HTMLElement>(null);
  const ask = (what: 'transfer' | 'remove') => {
    returnTo.current = menu.trigger.ref.current;
    setAsked(what);
  };
  const confirm = (act: () => void) => () => {
    returnTo.current = heading.current;
    act();
  };
  const { name, user, is_admin } = member;
  const path = { group_id, user_id: user.id };
  const appoint = useGroupMutation(
    (wanted: boolean) => (wanted ? sdk.groups.addGroupAdmin({ path }) : sdk.groups.removeGroupAdmin({ path })),
    (wanted) =>
      wanted ? i18n.t('{name} is an admin now.', { name }) : i18n.t('{name} is no longer an admin.', { name }),
  );
  const transfer = useTransfer(group_id, member);
  const question = { returnTo, onClose: () => setAsked(undefined) };
  return (
    <>
      <MoreMenu menu={menu} label={i18n.t('More about {name}', { name })}>
        <DropdownMenu.Item className="menu-item" onSelect={() => appoint.mutate(!is_admin)}>
          {is_admin ? <ShieldOff aria-hidden="true" /> : <ShieldCheck aria-hidden="true" />}
          {is_admin ? i18n.t('Remove as admin') : i18n.t('Make admin')}
        </DropdownMenu.Item>
        <DropdownMenu.Item className="menu-item" onSelect={() => ask('transfer')}>
          <ArrowRightLeft aria-hidden="true" />
          {i18n.t('Transfer group to them')}
        </DropdownMenu.Item>
        <DropdownMenu.Item className="menu-item" onSelect={() => ask('remove')}>
          <UserX aria-hidden="true" />
          {i18n.t('Remove from group')}
        </DropdownMenu.Item>
      </MoreMenu>
      <ConfirmDialog
        {...question}
        open={asked === 'transfer'}
        title={i18n.t('Transfer the group to {name}?', { name })}
        text={i18n.t(
          '{name} becomes the owner and can read all messages. You stay as a member. Contacts without an account, open invites and the invite link are removed.',
          { name },
        )}
        action={i18n.t('Transfer group')}
        onConfirm={confirm(() => transfer.mutate())}
      />
      <ConfirmDialog
        {...question}
        open={asked === 'remove'}
        title={i18n.t('Remove {name} from the group?', { name })}
        text={removal}
        action={i18n.t('Remove')}
        onConfirm={confirm(onRemove)}
      />
    </>
  );
}
