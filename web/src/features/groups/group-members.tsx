import { Link } from '@tanstack/react-router';
import { Phone, Send, UserPlus, X } from 'lucide-react';
import { useRef, type RefObject } from 'react';
import { sdk } from '../../asterism.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { useListBeside } from '../../ui/hooks/use-list-beside.ts';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { DialogButton } from '../../ui/overlay/dialog-button.tsx';
import { useStartCall } from '../../data/start-call.ts';
import { PersonLink } from '../../ui/person-link.tsx';
import '../../ui/person-link.css';
import { AddMembers } from './add-members.tsx';
import { MemberMenu } from './member-menu.tsx';
import { useMe } from '../../data/queries/me-query.ts';
import { mayAdminister } from '../../data/group-role.ts';
import { useGroupMutation } from '../../data/queries/group-queries.ts';
import type { Group, GroupMember } from '../../data/queries/group-queries.ts';
import { describeMember } from '../../i18n/group-text.ts';
import { i18n } from '../../i18n/i18n.ts';
import './groups.css';

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

type Removal = ReturnType<typeof useRemoval>;

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
function MemberActions(props: MemberActionsProps) {
  const me = useMe();
  const { group, member } = props;
  if (group.role === 'owner') return <OwnerActions {...props} />;
  // Only the owner removes admins; an admin leaves by themselves.
  const may_remove = mayAdminister(group) && member.user !== null && !member.is_admin && member.user.id !== me?.id;
  return may_remove ? <AdminActions {...props} /> : null;
}

/** Identifies a row: who joined by the link has no contact. */
const keyOf = ({ contact_id, user, added_at }: GroupMember) => contact_id ?? user?.id ?? added_at;

/** The name of a member, which opens their page, or the contact of one without an account. */
function MemberName({ member: { name, user, contact } }: { member: GroupMember }) {
  const beside = useListBeside();
  if (user === null && contact === null) return <strong dir="auto">{name}</strong>;
  const to = user === null ? `/contacts/${contact?.id ?? ''}` : `/u/${user.id}`;
  return (
    <Link to={to} state={beside} className="person-link" dir="auto">
      {name}
    </Link>
  );
}

/** The members of a group, and the state of each membership. */
export function GroupMembers({ group }: { group: Group }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { owner } = group;
  return (
    <section className="card" aria-labelledby="members-heading">
      <div className="cluster cluster-apart">
        <h2 id="members-heading" ref={heading} tabIndex={-1} className="feed-heading">
          {i18n.t('Members')}
        </h2>
        {group.role === 'owner' ? (
          <DialogButton icon={UserPlus} label={i18n.t('Add')} has_label title={i18n.t('Add from your contacts')}>
            {() => <AddMembers group={group} />}
          </DialogButton>
        ) : null}
      </div>
      <ul className="list" aria-label={i18n.t('Members')}>
        <li>
          <Avatar name={owner.username} called={nameOf(owner)} url={owner.avatar_url} />
          <div className="list-main">
            <p>
              <PersonLink person={owner} />
            </p>
            <p className="soft small">{i18n.t('Owner')}</p>
          </div>
        </li>
        {group.members.map((member) => (
          <li key={keyOf(member)}>
            <Avatar name={member.user?.username ?? member.name} called={member.name} url={member.user?.avatar_url} />
            <div className="list-main">
              <p>
                <MemberName member={member} />
              </p>
              <p className="soft small">
                <bdi>{describeMember(member)}</bdi>
              </p>
            </div>
            <MemberActions group={group} member={member} heading={heading} />
          </li>
        ))}
      </ul>
      {group.members.length === 0 ? (
        <p className="soft">{i18n.t('No one else yet. Add some of your contacts.')}</p>
      ) : null}
    </section>
  );
}
