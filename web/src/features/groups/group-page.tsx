import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { MessageCircle, Pencil, Phone } from 'lucide-react';
import { sdk } from '../../asterism.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { DialogButton } from '../../ui/overlay/dialog-button.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { MissingPage } from '../../ui/problems/missing-page.tsx';
import { Page } from '../../ui/page.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { RoomCard } from '../rooms/room-card.tsx';
import { useStartCall } from '../../data/start-call.ts';
import { mayAdminister } from '../../data/group-role.ts';
import { GroupForm } from './group-form.tsx';
import { GroupMembers } from './group-members.tsx';
import { groupInvitesKey, groupQuery, groupsKey } from '../../data/queries/group-queries.ts';
import type { Group } from '../../data/queries/group-queries.ts';
import { GroupLink } from './group-link.tsx';
import { GroupWidgets } from './group-widgets.tsx';
import { describeCount } from '../../i18n/group-text.ts';
import { i18n } from '../../i18n/i18n.ts';

function About({ group }: { group: Group }) {
  const call = useStartCall();
  const { name, member_count, owner, role } = group;
  return (
    <section className="card" aria-label={i18n.t('About this group')}>
      <div className="cluster">
        <Avatar name={name} url={group.avatar_url} size_px={72} />
        <div className="list-main">
          <p>{describeCount(group)}</p>
          <p className="soft small">
            {role === 'owner'
              ? i18n.t('Your group')
              : i18n.t('By {name}, @{username}', { name: nameOf(owner), username: owner.username })}
          </p>
        </div>
      </div>
      <div className="two-buttons">
        <button
          type="button"
          className="button primary"
          aria-disabled={call.isPending || member_count === 0}
          onClick={() => {
            if (!call.isPending && member_count > 0) call.mutate([{ group_id: group.id }]);
          }}
        >
          <Phone aria-hidden="true" />
          {i18n.t('Call everyone')}
        </button>
        <Link to="/messages/group/$groupId" params={{ groupId: group.id }} className="button quiet">
          <MessageCircle aria-hidden="true" />
          {i18n.t('Chat')}
        </Link>
      </div>
    </section>
  );
}

/** Edits the name, picture and description of a group. */
function EditButton({ group }: { group: Group }) {
  return (
    <DialogButton icon={Pencil} label={i18n.t('Edit')} title={i18n.t('Edit group')}>
      {(close) => <GroupForm group={group} onSaved={close} />}
    </DialogButton>
  );
}

/** The owner may delete the group, others may leave it. */
function LeaveOrDelete({ group }: { group: Group }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const is_owner = group.role === 'owner';
  const [action, title, text] = is_owner
    ? ([
        i18n.t('Delete the group'),
        i18n.t('Delete {name}?', { name: group.name }),
        i18n.t('Your contacts stay. This can’t be undone.'),
      ] as const)
    : ([
        i18n.t('Leave the group'),
        i18n.t('Leave {name}?', { name: group.name }),
        i18n.t('Its owner can invite you again.'),
      ] as const);
  const go = useMutation({
    mutationFn: () =>
      is_owner
        ? sdk.groups.deleteGroup({ path: { group_id: group.id } })
        : sdk.groups.leaveGroup({ path: { group_id: group.id } }),
    onSuccess: async () => {
      showToast(
        is_owner
          ? i18n.t('{name} is deleted.', { name: group.name })
          : i18n.t('You have left {name}.', { name: group.name }),
      );
      await navigate({ to: '/groups' });
      queries.removeQueries({ queryKey: groupQuery(group.id).queryKey });
      await Promise.all([groupsKey, groupInvitesKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
    onError: (error) => showToast(describeProblem(error)),
  });
  return (
    <section className="card" aria-label={action}>
      <div className="cluster">
        <Confirm
          title={title}
          text={text}
          action={is_owner ? i18n.t('Delete') : i18n.t('Leave')}
          onConfirm={() => go.mutate()}
          trigger={
            <button type="button" className="button danger" disabled={go.isPending}>
              {action}
            </button>
          }
        />
      </div>
    </section>
  );
}

/** One group: its members, a call to all of them, and for its owner its settings. */
export function GroupPage() {
  const { groupId } = useParams({ from: '/signed-in/reading/people/groups/$groupId' });
  const group = useQuery(groupQuery(groupId));
  const back = (
    <BackLink to="/groups" is_beside_list>
      {i18n.t('All groups')}
    </BackLink>
  );
  if (group.isPending) return <PageSkeleton back={back} what={i18n.t('Loading the group')} />;
  if (group.data === undefined)
    return (
      <MissingPage
        back={back}
        error={group.error}
        onRetry={() => void group.refetch()}
        what={i18n.t('Group')}
        title={i18n.t('Group not found')}
        text={i18n.t('It may have been deleted, or you are no longer in it.')}
      >
        <Link to="/groups" className="button primary">
          {i18n.t('All groups')}
        </Link>
      </MissingPage>
    );
  const { name, description, role } = group.data;
  const may_administer = mayAdminister(group.data);
  return (
    <Page title={name} back={back} actions={may_administer ? <EditButton group={group.data} /> : undefined}>
      {description === '' ? null : (
        <p className="rich-text" dir="auto">
          {description}
        </p>
      )}
      <div className="columns">
        <div className="stack">
          <About group={group.data} />
          <RoomCard key={group.data.id} place={{ group_id: group.data.id }} is_mine={role === 'owner'} />
          <GroupMembers group={group.data} />
        </div>
        <div className="stack">
          {may_administer ? <GroupLink key={group.data.id} group={group.data} /> : null}
          <GroupWidgets group={group.data} />
          <LeaveOrDelete group={group.data} />
        </div>
      </div>
    </Page>
  );
}
