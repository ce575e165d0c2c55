import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { sdk } from '../../asterism.ts';
import { nameOf } from '../../ui/avatar.tsx';
import { Page, Waiting } from '../../ui/page.tsx';
import { describeProblem } from '../../ui/problem.ts';
import { useLook } from '../realtime/stream-context.tsx';
import { StatusCard } from './status-card.tsx';
import { statusKey } from './status-cache.ts';

/** One status with its replies: where a notification leads. */
export function StatusPage() {
  const { postId } = useParams({ from: '/signed-in/status/$postId' });
  const status = useQuery({
    queryKey: statusKey(postId),
    queryFn: ({ signal }) => sdk.statuses.getStatus({ path: { post_id: postId }, signal }),
  });
  useLook('status', status.data?.id);
  if (status.isPending) return <Waiting what="Fetching the status" />;
  if (status.isError) {
    return (
      <Page title="This status is not here" narrow>
        <p className="notice" role="alert">
          {describeProblem(status.error)} It may be deleted, or meant for others.
        </p>
        <Link to="/" className="button">
          Go home
        </Link>
      </Page>
    );
  }
  return (
    <Page title={`${nameOf(status.data.author)} says`} narrow>
      <StatusCard key={postId} status={status.data} open />
    </Page>
  );
}
