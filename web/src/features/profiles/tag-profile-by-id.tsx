import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';
import { GoBack } from '../../ui/back-link.tsx';
import { useListBeside } from '../../ui/hooks/use-list-beside.ts';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { tagQuery } from '../../data/queries/tag-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

/** Redirects to the profile of a tag by its identifier, which is all that notifications contain. */
export function TagProfileById() {
  const { tagId } = useParams({ from: '/signed-in/reading/tags/$tagId/profile' });
  const tag = useQuery(tagQuery(tagId));
  const beside = useListBeside();
  if (tag.isPending) return <PageSkeleton back={<GoBack to="/search" />} what={i18n.t('Loading the profile')} />;
  // The tag's own page explains the error.
  if (tag.data === undefined) return <Navigate to="/tags/$tagId" params={{ tagId }} state={beside} replace />;
  return <Navigate to="/t/$name" params={{ name: tag.data.name }} state={beside} replace />;
}
