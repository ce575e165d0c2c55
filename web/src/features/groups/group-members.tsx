import { Link } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useRef } from 'react';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { useListBeside } from '../../ui/hooks/use-list-beside.ts';
import { DialogButton } from '../../ui/overlay/dialog-button.tsx';
import { PersonLink } from '../../ui/person-link.tsx';
import { AddMembers } from './add-members.tsx';
import type { Group, GroupMember } from '../../data/queries/group-queries.ts';
import { describeMember } from '../../i18n/group-text.ts';
import { i18n } from '../../i18n/i18n.ts';
import { MemberActions } from './member-actions.tsx';
import '../../ui/person-link.css';
import './groups.css';

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
