import type { Tag } from '@asterism/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { UserCheck, UserPlus } from 'lucide-react';
import { sdk } from '../../asterism.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { GoBack } from '../../ui/back-link.tsx';
import { TagName } from '../../ui/brand/brand.tsx';
import { TagSky } from '../../ui/brand/tag-sky.tsx';
import { showToast } from '../../ui/overlay/toast.tsx';
import { MissingPage } from '../../ui/problems/missing-page.tsx';
import { Main, PageHeading } from '../../ui/page.tsx';
import { useListBeside } from '../../ui/hooks/use-list-beside.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { Row } from '../../ui/row.tsx';
import { PersonMenu } from '../blocks/person-menu.tsx';
import { useCallSession } from '../calls/session/call-session.ts';
import { contactsKey } from '../../data/queries/contact-queries.ts';
import { FollowButton } from '../follows/follow-button.tsx';
import { useMe } from '../../data/queries/me-query.ts';
import { PersonActions } from './person-actions.tsx';
import { PersonSkeleton } from './person-skeleton.tsx';
import { useIsOnline } from '../../data/queries/presence-query.ts';
import { personQuery } from '../../data/queries/person-queries.ts';
import type { PersonPage as Person } from '../../data/queries/person-queries.ts';
import './people.css';
import { i18n } from '../../i18n/i18n.ts';

/** Adds somebody to the contacts by one of their tags, since their number is not known. */
function AddContact({ name, tag_name }: { name: string; tag_name: string }) {
  const queries = useQueryClient();
  const recall = useMutation({
    mutationFn: (contact_id: string) => sdk.contacts.deleteContact({ path: { contact_id } }),
    onSuccess: () => {
      add.reset();
      return queries.invalidateQueries({ queryKey: contactsKey });
    },
    onError: (error) => showToast(describeProblem(error)),
  });
  const add = useMutation({
    mutationFn: () => sdk.contacts.createContact({ body: { name, tag_name } }),
    onSuccess: ({ id }) => {
      showToast(i18n.t('{name} is in your contacts.', { name }), { undo: () => recall.mutate(id) });
      return queries.invalidateQueries({ queryKey: contactsKey });
    },
    onError: (error) => showToast(describeProblem(error)),
  });
  return (
    <button
      type="button"
      className="icon-button"
      disabled={add.isPending || add.isSuccess}
      onClick={() => add.mutate()}
    >
      {add.isSuccess ? <UserCheck aria-hidden="true" /> : <UserPlus aria-hidden="true" />}
      <span className="visually-hidden">
        {add.isSuccess ? i18n.t('In your contacts') : i18n.t('Add {name} to contacts', { name })}
      </span>
    </button>
  );
}

function TagRow({ tag }: { tag: Tag }) {
  const beside = useListBeside();
  const followers = i18n.t('{count, plural, one {# follower} other {# followers}}', { count: tag.follower_count });
  return (
    <li className="person-row">
      <Link to="/t/$name" params={{ name: tag.name }} state={beside} className="row">
        <Row
          picture={<TagSky name={tag.name} />}
          title={<TagName name={tag.name} />}
          detail={
            <span className="facts">
              {tag.title === '' ? null : <bdi>{tag.title}</bdi>}
              <span>{followers}</span>
            </span>
          }
        />
      </Link>
      <FollowButton tag={tag} />
    </li>
  );
}

function Groups({ groups }: { groups: Person['shared_groups'] }) {
  if (groups.length === 0) return null;
  return (
    <section aria-label={i18n.t('Groups in common')}>
      <h2>{i18n.t('Groups in common')}</h2>
      <ul className="person-card">
        {groups.map(({ id, name, avatar_url }) => (
          <li key={id} className="person-row">
            <Link to="/messages/group/$groupId" params={{ groupId: id }} className="row">
              <Row picture={<Avatar name={name} url={avatar_url} />} title={name} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Head({ person, is_me }: { person: Person; is_me: boolean }) {
  const { user, bio, live } = person;
  const is_online = useIsOnline(user.id);
  const { session } = useCallSession();
  return (
    <header className="person-head">
      <Avatar
        name={user.username}
        called={nameOf(user)}
        url={user.avatar_url}
        size_px={104}
        live={live.live}
        is_online={is_online}
      />
      <PageHeading title={nameOf(user)} />
      <p className="soft">
        <bdi>@{user.username}</bdi>
        {is_online ? ` · ${i18n.t('Online')}` : ''}
      </p>
      {bio === '' ? null : (
        <p className="person-bio" dir="auto">
          {bio}
        </p>
      )}
      {live.live && live.join_code !== undefined ? (
        <Link to="/j/$joinCode" params={{ joinCode: live.join_code }} className="button gold">
          {session?.join_code === live.join_code
            ? i18n.t('Back to the call')
            : i18n.t('Join their call, {count} talking', { count: live.participant_count ?? 0 })}
        </Link>
      ) : null}
      {is_me ? (
        <Link to="/settings/profile" className="button quiet">
          {i18n.t('Edit profile')}
        </Link>
      ) : (
        <PersonActions name={nameOf(person.user)} target={{ user_id: person.user.id }} user_id={person.user.id} />
      )}
    </header>
  );
}

/** A person's page: their profile, ways to reach them, and what they have in common with the reader. */
export function PersonPage() {
  const { userId } = useParams({ from: '/signed-in/reading/people/u/$userId' });
  const me = useMe();
  const person = useQuery(personQuery(userId));
  const back = <GoBack to="/people" />;
  if (person.data === undefined) {
    if (person.isPending) return <PersonSkeleton back={back} what={i18n.t('Loading the person')} />;
    return (
      <MissingPage
        back={back}
        error={person.error}
        onRetry={() => void person.refetch()}
        what={i18n.t('Person')}
        title={i18n.t('Person not found')}
        text={i18n.t('The account may be gone, or one of you has blocked the other.')}
      >
        <Link to="/search" className="button primary">
          {i18n.t('Search')}
        </Link>
      </MissingPage>
    );
  }
  const { user, tags, shared_groups } = person.data;
  const is_me = user.id === me?.id;
  return (
    <Main className="page page-narrow person">
      <div className="person-top">
        {back}
        {is_me || tags[0] === undefined ? null : <AddContact name={nameOf(user)} tag_name={tags[0].name} />}
        {is_me ? null : <PersonMenu person={user} at="page" />}
      </div>
      <Head person={person.data} is_me={is_me} />
      <section aria-label={i18n.t('Tags')}>
        <h2>{i18n.t('Tags')}</h2>
        {tags.length === 0 ? (
          <p className="soft">{is_me ? i18n.t('You have no tags yet.') : i18n.t('No tags that you can see.')}</p>
        ) : (
          <ul className="person-card">
            {tags.map((tag) => (
              <TagRow key={tag.id} tag={tag} />
            ))}
          </ul>
        )}
      </section>
      <Groups groups={shared_groups} />
    </Main>
  );
}
