import { Link, useNavigate } from '@tanstack/react-router';
import { Phone, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../data/lists.ts';
import { ListFailure } from '../../ui/problems/list-failure.tsx';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { When } from '../../ui/when.tsx';
import { useStartCall } from '../../data/start-call.ts';
import { GroupForm } from './group-form.tsx';
import { groupsKey, useGroupMutation, useGroupInvites } from '../../data/queries/group-queries.ts';
import type { Group, GroupInvite } from '../../data/queries/group-queries.ts';
import { describeMembers } from '../../i18n/group-text.ts';
import { i18n } from '../../i18n/i18n.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';

type Answer = { invite: GroupInvite; answer: 'accept' | 'decline' };

function Invite({ invite, onAnswer }: { invite: GroupInvite; onAnswer: () => void }) {
  const action = useGroupMutation(
    ({ invite: { id }, answer }: Answer) =>
      answer === 'accept'
        ? sdk.groups.acceptGroupInvite({ path: { invite_id: id } })
        : sdk.groups.declineGroupInvite({ path: { invite_id: id } }),
    ({ answer }) =>
      answer === 'accept'
        ? i18n.t('You are in {name}.', { name: invite.group.name })
        : i18n.t('Declined. They won’t be notified.'),
  );
  const decide = (answer: Answer['answer']) => {
    if (action.isPending) return;
    action.mutate({ invite, answer });
    onAnswer();
  };
  const { group, from, created_at } = invite;
  return (
    <li>
      <Avatar name={group.name} url={group.avatar_url} />
      <div className="list-main">
        <p>
          <RichMessage
            text={i18n.t('{name} invited you to <group>{group}</group>', { name: nameOf(from), group: group.name })}
            parts={{ group: (words) => <strong dir="auto">{words}</strong> }}
          />
        </p>
        {group.description === '' ? null : (
          <p className="quote" dir="auto">
            {group.description}
          </p>
        )}
        <When at={created_at} />
      </div>
      <div className="cluster">
        <button
          type="button"
          className="button primary"
          aria-label={i18n.t('Accept the invite to {name}', { name: group.name })}
          onClick={() => decide('accept')}
        >
          {i18n.t('Accept')}
        </button>
        <button
          type="button"
          className="button quiet"
          aria-label={i18n.t('Decline the invite to {name}', { name: group.name })}
          onClick={() => decide('decline')}
        >
          {i18n.t('Decline')}
        </button>
      </div>
    </li>
  );
}

/** Pending invites; nothing without any. @param onAnswer focuses what remains, since the answered invite disappears */
function Invites({ list, onAnswer }: { list: ReturnType<typeof useGroupInvites>; onAnswer: () => void }) {
  if (list.isSuccess && list.items.length === 0) return null;
  return (
    <section className="card" aria-labelledby="invites-heading">
      <h2 id="invites-heading">{i18n.t('Invites')}</h2>
      <ListFailure list={list} />
      <ul className="list" aria-label={i18n.t('Invites to groups')}>
        {list.items.map((invite) => (
          <Invite key={invite.id} invite={invite} onAnswer={onAnswer} />
        ))}
      </ul>
      <More list={list} what={i18n.t('invites')} />
    </section>
  );
}

function GroupItem({ group }: { group: Group }) {
  const call = useStartCall();
  return (
    <li>
      <Avatar name={group.name} url={group.avatar_url} />
      <div className="list-main">
        <p>
          <Link to="/groups/$groupId" params={{ groupId: group.id }} className="quiet-link">
            <strong dir="auto">{group.name}</strong>
          </Link>
          {group.role === 'owner' ? null : (
            <span className="soft small"> {i18n.t('by {name}', { name: nameOf(group.owner) })}</span>
          )}
        </p>
        <p className="soft small">{describeMembers(group)}</p>
      </div>
      <button
        type="button"
        className="icon-button"
        aria-disabled={call.isPending}
        onClick={() => {
          if (!call.isPending) call.mutate([{ group_id: group.id }]);
        }}
      >
        <Phone aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Call {name}', { name: group.name })}</span>
      </button>
    </li>
  );
}

/** The reader's groups, own and joined, and invites to groups. */
export function GroupsPage() {
  const [making, setMaking] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const navigate = useNavigate();
  const list = useList<Group>({
    queryKey: groupsKey,
    load: (query, signal) => sdk.groups.listGroups({ query, signal }),
  });
  const invites = useGroupInvites();
  // Both lists appear together: the second one would move when the first one is known.
  const is_pending = list.isPending || invites.isPending;
  if (is_pending) return <Skeleton what={i18n.t('Loading your groups')} />;
  return (
    <>
      <Invites list={invites} onAnswer={() => heading.current?.focus()} />
      <section className="card" aria-labelledby="groups-heading">
        <h2 id="groups-heading" ref={heading} tabIndex={-1} className="visually-hidden">
          {i18n.t('Groups')}
        </h2>
        <button ref={opener} type="button" className="button primary at-start" onClick={() => setMaking(true)}>
          <Plus aria-hidden="true" />
          {i18n.t('New group')}
        </button>
        <ListFailure list={list} />
        {list.isSuccess && list.items.length === 0 ? (
          <EmptyState
            title={i18n.t('No groups yet')}
            text={i18n.t('Call a whole group with one tap: a family, a team, a choir.')}
            level={3}
          />
        ) : null}
        <ul className="list" aria-label={i18n.t('Your groups')}>
          {list.items.map((group) => (
            <GroupItem key={group.id} group={group} />
          ))}
        </ul>
        <More list={list} what={i18n.t('groups')} />
      </section>
      <Dialog open={making} onClose={() => setMaking(false)} title={i18n.t('New group')} returnTo={opener}>
        <GroupForm
          onSaved={({ id }) => {
            setMaking(false);
            void navigate({ to: '/groups/$groupId', params: { groupId: id } });
          }}
        />
      </Dialog>
    </>
  );
}
