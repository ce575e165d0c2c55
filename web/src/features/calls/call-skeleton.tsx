import type { Call } from '@asterism/sdk';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { Page } from '../../ui/page.tsx';
import { CallAvatar } from './call-avatar.tsx';
import { callerOf } from '../../data/queries/call-queries.ts';
import { titleOfCall } from './state/call-title.ts';
import { useFitsSide } from './chat/use-fits-side.ts';
import { useRingMotion } from './stage/ring-motion.ts';
import './call-frame.css';
import './call-skeleton.css';

interface CallSkeletonProps {
  what: string;
  /** Once it is known, whose call it is. */
  call?: Call | undefined;
  user_id?: string | undefined;
}

/** The placeholder of a call that is loading: its stage, with the person whom the reader talks to, and its controls. */
export function CallSkeleton({ what, call, user_id }: CallSkeletonProps) {
  const stage = useRingMotion<HTMLDivElement>(call && callerOf(call, user_id)?.id);
  const has_side = useFitsSide() && call !== undefined;
  return (
    <main id="main" className="call night call-skeleton" data-side={has_side ? 'shown' : undefined} aria-busy="true">
      {call === undefined ? null : (
        <header className="call-header">
          <div className="call-title">
            <h1>{titleOfCall(call, user_id)}</h1>
            <p className="soft small" role="status">
              {what}
            </p>
          </div>
        </header>
      )}
      <div ref={stage} className="call-skeleton-stage">
        {call === undefined ? <p role="status">{what}</p> : <CallAvatar call={call} user_id={user_id} size_px={68} />}
      </div>
      <div className="call-side" aria-hidden="true" />
      <div className="call-controls" aria-hidden="true">
        {[1, 2, 3, 4, 5].map((place) => (
          <span key={place} className="call-skeleton-button" />
        ))}
      </div>
    </main>
  );
}

/** The placeholder of the lobby: the preview, its switches, and the join button. */
export function LobbySkeleton({ title, what }: { title: string; what: string }) {
  return (
    <Page title={title} narrow>
      <div className="skeletons stack" role="status" aria-busy="true">
        <span className="visually-hidden">{what}</span>
        <SkeletonBlock height="44px" width="60%" />
        <span className="skel lobby-skeleton-picture" />
        <SkeletonBlock height="44px" />
        <SkeletonBlock height="44px" />
      </div>
    </Page>
  );
}
