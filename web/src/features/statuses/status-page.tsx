import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { sdk } from '../../asterism.ts';
import { nameOf } from '../../ui/avatar.tsx';
import { GoBack } from '../../ui/back-link.tsx';
import { MissingPage } from '../../ui/problems/missing-page.tsx';
import { Page } from '../../ui/page.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { useFocus } from '../../data/stream.ts';
import { StatusCard } from './status-card.tsx';
import { statusKey } from '../../data/queries/status-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

/** One status with its replies: the target of notifications. */
export function StatusPage() {
  const { postId } = useParams({ from: '/signed-in/reading/status/$postId' });
  const status = useQuery({
    queryKey: statusKey(postId),
    queryFn: ({ signal }) => sdk.statuses.getStatus({ path: { post_id: postId }, signal }),
  });
  useFocus('status', status.data?.id);
  const back = <GoBack to="/" />;
  if (status.isPending) return <PageSkeleton back={back} what={i18n.t('Loading the post')} />;
  if (status.data === undefined)
    return (
      <MissingPage
        back={back}
        error={status.error}
        onRetry={() => void status.refetch()}
        what={i18n.t('The post')}
        title={i18n.t('Post not found')}
        text={i18n.t('It may have been deleted, or you don’t have access.')}
      >
        <Link to="/" className="button primary">
          {i18n.t('Go home')}
        </Link>
      </MissingPage>
    );
  return (
    <Page title={i18n.t('Post by {name}', { name: nameOf(status.data.author) })} narrow back={back}>
      <StatusCard key={postId} status={status.data} open />
    </Page>
  );
}
