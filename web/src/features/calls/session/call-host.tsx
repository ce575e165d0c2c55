import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { i18n } from '../../../i18n/i18n.ts';
import { useShownPath } from '../../../ui/hooks/use-shown-path.ts';
import { useMe } from '../../../data/queries/me-query.ts';
import { CallSkeleton } from '../call-skeleton.tsx';
import { callQuery } from '../../../data/queries/call-queries.ts';
import { closeSession, useCallSession } from './call-session.ts';
import { useUnloadPrompt } from './use-unload-prompt.ts';

/** The media client is most of the code: it is loaded with the page of a call, or while it rings. */
export const loadLiveCall = () => import('./live-call.tsx');
const LiveCall = lazy(() => loadLiveCall().then((module) => ({ default: module.LiveCall })));

/** The page of a call whose code is loading. */
function Loading({ join_code }: { join_code: string }) {
  const call = useQuery({ ...callQuery(join_code), enabled: false }).data;
  return <CallSkeleton what={i18n.t('Connecting…')} call={call} user_id={useMe()?.id} />;
}

/** Renders the call of this window, whichever page is open: full-size on its own page, as a small window elsewhere. */
export function CallHost() {
  const { session } = useCallSession();
  const is_page = useShownPath() === `/call/${session?.join_code ?? ''}`;
  useUnloadPrompt(session !== undefined);
  // Signing out unmounts the frame, and the call with it.
  useEffect(() => () => closeSession(), []);
  if (session === undefined) return null;
  return (
    <Suspense fallback={is_page ? <Loading join_code={session.join_code} /> : null}>
      <LiveCall key={session.number} session={session} is_page={is_page} />
    </Suspense>
  );
}
