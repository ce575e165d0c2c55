import type { ReactNode } from 'react';
import { Skeleton, SkeletonBlock } from '../../ui/skeleton.tsx';
import './people.css';

interface PersonSkeletonProps {
  what: string;
  /** The page's back arrow, so that nobody has to wait. */
  back: ReactNode;
}

/** The placeholder of the page of a person or a contact, with the shape of its head. */
export function PersonSkeleton({ what, back }: PersonSkeletonProps) {
  return (
    <div className="page page-narrow person">
      <div className="person-top">{back}</div>
      <div className="person-head skeletons" aria-hidden="true">
        <SkeletonBlock width="104px" height="104px" round />
        <SkeletonBlock width="12rem" height="28px" />
        <SkeletonBlock width="6rem" />
        <div className="person-actions">
          {['call', 'video', 'message'].map((action) => (
            <span key={action} className="person-action">
              <SkeletonBlock width="54px" height="54px" round />
            </span>
          ))}
        </div>
      </div>
      <Skeleton rows={2} what={what} />
    </div>
  );
}
