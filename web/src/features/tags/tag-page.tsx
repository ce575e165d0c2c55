import type { Tag } from '@asterism/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { sdk } from '../../asterism.ts';
import { BackLink, GoBack } from '../../ui/back-link.tsx';
import { TagCard } from '../../ui/brand/tag-sky.tsx';
import { nameOf } from '../../ui/avatar.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { DialogButton } from '../../ui/overlay/dialog-button.tsx';
import { MissingPage } from '../../ui/problems/missing-page.tsx';
import { Page } from '../../ui/page.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { useFocus } from '../../data/stream.ts';
import { RoomCard } from '../rooms/room-card.tsx';
import { MediaView } from '../files/media-view.tsx';
import { FollowButton } from '../follows/follow-button.tsx';
import { EditTag } from './edit-tag.tsx';
import { describeVisibility } from './tag-visibility.ts';
import { TagFollowers } from './tag-followers.tsx';
import { TagMedia } from './tag-media.tsx';
import { ownTagsKey, tagQuery, tagsKey } from '../../data/queries/tag-queries.ts';
import { profileKey } from '../../data/queries/profile-queries.ts';
import { feedKey } from '../../data/queries/status-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

function DeleteTag({ tag }: { tag: Tag }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => sdk.tags.deleteTag({ path: { xtag_id: tag.id } }),
    onSuccess: async () => {
      showToast(i18n.t('*{name} is deleted.', { name: tag.name }));
      await navigate({ to: '/tags' });
      queries.removeQueries({ queryKey: tagQuery(tag.id).queryKey });
      await Promise.all(
        [tagsKey, ownTagsKey, feedKey, profileKey].map((queryKey) => queries.invalidateQueries({ queryKey })),
      );
    },
    onError: (error) =>
      showToast(i18n.t('Couldn’t delete *{name}. {problem}', { name: tag.name, problem: describeProblem(error) })),
  });
  return (
    <section className="card" aria-labelledby="delete-heading">
      <h2 id="delete-heading">{i18n.t('Delete it')}</h2>
      <p className="soft">
        {i18n.t('Deletes its posts, comments and followers. Its name stays reserved for 30 days.')}
      </p>
      <div className="cluster">
        <Confirm
          trigger={
            <button type="button" className="button danger" disabled={remove.isPending}>
              {i18n.t('Delete *{name}', { name: tag.name })}
            </button>
          }
          title={i18n.t('Delete *{name}?', { name: tag.name })}
          text={i18n.t('This can’t be undone.')}
          action={i18n.t('Delete')}
          onConfirm={() => remove.mutate()}
        />
      </div>
    </section>
  );
}

function Facts({ tag }: { tag: Tag }) {
  const followers = i18n.t('{count, plural, one {# follower} other {# followers}}', { count: tag.follower_count });
  return (
    <section className="card" aria-label={i18n.t('About this tag')}>
      {tag.description === '' ? null : (
        <p className="rich-text" dir="auto">
          {tag.description}
        </p>
      )}
      <MediaView files={tag.media} by={nameOf(tag.owner)} />
      <p className="soft">
        {[
          followers,
          tag.is_mine ? '' : i18n.t('by {name}', { name: nameOf(tag.owner) }),
          describeVisibility(tag),
          tag.follow_policy === 'open' ? '' : i18n.t('followers need approval'),
        ]
          .filter((fact) => fact !== '')
          .join(' · ')}
      </p>
      <div className="cluster">
        {tag.is_mine ? null : <FollowButton tag={tag} />}
        <Link to="/t/$name" params={{ name: tag.name }} className="button quiet">
          {i18n.t('View profile')}
        </Link>
      </div>
    </section>
  );
}

/** The page of a tag: its settings for the owner, and for others whether they follow it. */
export function TagPage() {
  const { tagId } = useParams({ from: '/signed-in/reading/own/tags/$tagId' });
  const tag = useQuery(tagQuery(tagId));
  useFocus('tag', tag.data?.id);
  const back = tag.data?.is_mine ? <BackLink to="/tags">{i18n.t('Your tags')}</BackLink> : <GoBack to="/search" />;
  if (tag.isPending) return <PageSkeleton back={back} what={i18n.t('Loading the tag')} />;
  if (tag.data === undefined)
    return (
      <MissingPage
        back={back}
        error={tag.error}
        onRetry={() => void tag.refetch()}
        what={i18n.t('Tag')}
        title={i18n.t('Tag not found')}
        text={i18n.t('It may have been deleted, or you don’t have access.')}
      >
        <Link to="/search" className="button primary">
          {i18n.t('Search')}
        </Link>
      </MissingPage>
    );
  return (
    <Page
      title={`*${tag.data.name}`}
      shows_title={false}
      back={back}
      actions={
        tag.data.is_mine ? (
          <DialogButton icon={Pencil} label={i18n.t('Edit')} title={i18n.t('Edit tag')}>
            {(close) => <EditTag tag={tag.data} onSaved={close} />}
          </DialogButton>
        ) : undefined
      }
    >
      <Link to="/t/$name" params={{ name: tag.data.name }} className="tag-card-link">
        <TagCard name={tag.data.name}>
          {tag.data.title === '' ? null : (
            <span className="title" dir="auto">
              {tag.data.title}
            </span>
          )}
        </TagCard>
      </Link>
      <div className="columns">
        <div className="stack">
          <Facts tag={tag.data} />
          <RoomCard key={tag.data.id} place={{ tag_id: tag.data.id }} is_mine={tag.data.is_mine} />
          {tag.data.is_mine ? <TagMedia key={tag.data.id} tag={tag.data} /> : null}
        </div>
        <div className="stack">
          <section className="card" aria-labelledby="who-heading">
            <h2 id="who-heading">{i18n.t('Followers')}</h2>
            <TagFollowers tag={tag.data} />
          </section>
          {tag.data.is_mine ? <DeleteTag tag={tag.data} /> : null}
        </div>
      </div>
    </Page>
  );
}
