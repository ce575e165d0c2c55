import { SkeletonBlock } from '../../ui/skeleton.tsx';
import { Page } from '../../ui/page.tsx';
import './call-skeleton.css';

/** The placeholder of a call that is loading: its stage and its controls. */
export function CallSkeleton({ what }: { what: string }) {
  return (
    <main id="main" className="call night call-skeleton" aria-busy="true">
      <p className="call-skeleton-words" role="status">
        {what}
      </p>
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
