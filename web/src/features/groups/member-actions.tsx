import { Phone, Send, X } from 'lucide-react';
import { type RefObject } from 'react';
import { sdk } from '../../asterism.ts';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { useStartCall } from '../../data/start-call.ts';
import { MemberMenu } from './member-menu.tsx';
import { useMe } from '../../data/queries/me-query.ts';
import { mayAdminister } from '../../data/group-role.ts';
import { useGroupMutation } from '../../data/queries/group-queries.ts';
import type { Group, GroupMember } from '../../data/queries/group-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

interface MemberActionsProps {
  group: Group;
  member: GroupMember;
  /** What has the focus when a member was removed, whose row is gone. */
  heading: RefObject<HTMLElement | null>;
}

/** Removes a member: one of the owner's contacts, or a person by whoever administers the group. */
function useRemoval({ group: { id: group_id, role }, member }: MemberActionsProps) {
  const { contact_id, user } = member;
  const remove = useGroupMutation(() =>
    role === 'owner' && contact_id !== null
      ? sdk.groups.removeGroupMember({ path: { group_id, contact_id } })
      : sdk.groups.removeGroupPerson({ path: { group_id, user_id: user?.id ?? '' } }),
  );
  const texts = [
    ...(user === null ? [] : [i18n.t('They no longer see the group and its chat, and its invite link is revoked.')]),
    ...(role === 'owner' && contact_id !== null ? [i18n.t('They stay among your contacts.')] : []),
  ];
  return {
    text: texts.join(' '),
    confirm: () => remove.mutate(undefined),
  };
}

type Removal = ReturnType<typeof useRemoval>;

interface RemoveButtonProps extends Omit<MemberActionsProps, 'group'> {
  removal: Removal;
}

function RemoveButton({ member: { name }, heading, removal }: RemoveButtonProps) {
  return (
    <Confirm
      title={i18n.t('Remove {name} from the group?', { name })}
      text={removal.text}
      action={i18n.t('Remove')}
      onConfirm={removal.confirm}
      returnTo={heading}
      trigger={
        <button type="button" className="icon-button">
          <X aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Remove {name} from the group', { name })}</span>
        </button>
      }
    />
  );
}

/** An admin's action on a member. */
function AdminActions(props: MemberActionsProps) {
  const removal = useRemoval(props);
  return (
    <div className="cluster contact-actions">
      <RemoveButton {...props} removal={removal} />
    </div>
  );
}

/** Calls a member as the owner's contact. */
function CallMember({ member: { contact, name } }: Pick<MemberActionsProps, 'member'>) {
  const call = useStartCall();
  if (contact === null || (contact.user === null && contact.phones.length === 0)) return null;
  return (
    <button
      type="button"
      className="icon-button"
      aria-disabled={call.isPending}
      onClick={() => {
        if (!call.isPending) call.mutate([{ contact_id: contact.id }]);
      }}
    >
      <Phone aria-hidden="true" />
      <span className="visually-hidden">{i18n.t('Call {name}', { name })}</span>
    </button>
  );
}

/** Invites somebody who has left once more. */
function InviteAgain({ group, member: { contact_id, name, state } }: Omit<MemberActionsProps, 'heading'>) {
  const ask = useGroupMutation(
    () => sdk.groups.addGroupMember({ path: { group_id: group.id, contact_id: contact_id ?? '' } }),
    () => i18n.t('Invited {name}.', { name }),
  );
  if (state !== 'left' || contact_id === null) return null;
  return (
    <button type="button" className="icon-button" onClick={() => ask.mutate(undefined)}>
      <Send aria-hidden="true" />
      <span className="visually-hidden">{i18n.t('Invite {name} again', { name })}</span>
    </button>
  );
}

/** The owner's actions on a member. */
function OwnerActions(props: MemberActionsProps) {
  const { group, member, heading } = props;
  const { user, contact_id } = member;
  const removal = useRemoval(props);
  return (
    <div className="cluster contact-actions">
      <CallMember member={member} />
      <InviteAgain group={group} member={member} />
      {user === null ? null : (
        <MemberMenu
          group_id={group.id}
          member={{ ...member, user }}
          removal={removal.text}
          onRemove={removal.confirm}
          heading={heading}
        />
      )}
      {user === null && contact_id !== null ? <RemoveButton {...props} removal={removal} /> : null}
    </div>
  );
}

/** What the reader may do with a member. */
export function MemberActions(props: MemberActionsProps) {
  const me = useMe();
  const { group, member } = props;
  if (group.role === 'owner') return <OwnerActions {...props} />;
  // Only the owner removes admins; an admin leaves by themselves.
  const may_remove = mayAdminister(group) && member.user !== null && !member.is_admin && member.user.id !== me?.id;
  return may_remove ? <AdminActions {...props} /> : null;
}
