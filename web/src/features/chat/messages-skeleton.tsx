import { SkeletonBlock } from '../../ui/skeleton.tsx';

/** The widths of the bubbles, and who wrote them. */
const BUBBLES = [
  ['58%', false],
  ['34%', false],
  ['64%', true],
  ['46%', false],
  ['70%', false],
  ['38%', true],
  ['52%', true],
] as const;

/** The placeholder of a chat, with a text for screen readers: bubbles at its end, where the newest messages appear. */
export function MessagesSkeleton({ what }: { what: string }) {
  return (
    <div className="messages-skeleton skeletons" role="status">
      <span className="visually-hidden">{what}</span>
      {BUBBLES.map(([width, is_own]) => (
        <div key={width} data-own={is_own ? '' : undefined}>
          <SkeletonBlock width={width} height="42px" />
        </div>
      ))}
    </div>
  );
}
