import { Link } from '@tanstack/react-router';
import { Phone, Send, UserPlus, X } from 'lucide-react';
import { useRef } from 'react';
import { sdk } from '../../asterism.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { useListBeside } from '../../ui/hooks/use-list-beside.ts';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { DialogButton } from '../../ui/overlay/dialog-button.tsx';
import { useStartCall } from '../../data/start-call.ts';
import { PersonLink } from '../../ui/person-link.tsx';
import '../../ui/person-link.css';
import { AddMembers } from './add-members.tsx';
import { useGroupMutation } from '../../data/queries/group-queries.ts';
import type { Group, GroupMember } from '../../data/queries/group-queries.ts';
import { describeMember } from '../../i18n/group-text.ts';
import { i18n } from '../../i18n/i18n.ts';

/** The owner's actions on a member. */
function MemberActions({
  group_id,
  member,
  onRemove,
}: {
  group_id: string;
  member: GroupMember;
  onRemove: () => void;
}) {
  const { contact_id, contact, name, state } = member;
  const path = { group_id, contact_id };
  const call = useStartCall();
  const ask = useGroupMutation(
    () => sdk.groups.addGroupMember({ path }),
    () => i18n.t('Invited {name}.', { name }),
  );
  const remove = useGroupMutation(() => sdk.groups.removeGroupMember({ path }));
  const can_call = contact !== null && (contact.user !== null || contact.phones.length > 0);
  return (
    <div className="cluster contact-actions">
      {can_call ? (
        <button
          type="button"
          className="icon-button"
          aria-disabled={call.isPending}
          onClick={() => {
            if (!call.isPending) call.mutate([{ contact_id }]);
          }}
        >
          <Phone aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Call {name}', { name })}</span>
        </button>
      ) : null}
      {state === 'left' ? (
        <button type="button" className="icon-button" onClick={() => ask.mutate(undefined)}>
          <Send aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Invite {name} again', { name })}</span>
        </button>
      ) : null}
      <Confirm
        title={i18n.t('Remove {name} from the group?', { name })}
        text={i18n.t('They stay among your contacts.')}
        action={i18n.t('Remove')}
        onConfirm={() => {
          remove.mutate(undefined);
          onRemove();
        }}
        trigger={
          <button type="button" className="icon-button">
            <X aria-hidden="true" />
            <span className="visually-hidden">{i18n.t('Remove {name} from the group', { name })}</span>
          </button>
        }
      />
    </div>
  );
}

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
          <li key={member.contact_id}>
            <Avatar name={member.user?.username ?? member.name} called={member.name} url={member.user?.avatar_url} />
            <div className="list-main">
              <p>
                <MemberName member={member} />
              </p>
              <p className="soft small">
                <bdi>{describeMember(member)}</bdi>
              </p>
            </div>
            {group.role === 'owner' ? (
              <MemberActions group_id={group.id} member={member} onRemove={() => heading.current?.focus()} />
            ) : null}
          </li>
        ))}
      </ul>
      {group.members.length === 0 ? (
        <p className="soft">{i18n.t('No one else yet. Add some of your contacts.')}</p>
      ) : null}
    </section>
  );
}
