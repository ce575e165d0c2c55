import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Whoever is this near to the end wants to see what comes. */
const NEAR_PX = 80;

interface Ends {
  /** The oldest and newest that are shown. */
  first: string | undefined;
  last: string | undefined;
  /** The newest is the reader's own. */
  is_own: boolean;
}

/**
 * Holds a list of messages where its reader is: at the end it stays there, also while pictures grow; whoever reads older
 * ones is left where they are, and told that there are new ones.
 */
export function useFollowEnd({ first, last, is_own }: Ends) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const is_following = useRef(true);
  const before = useRef<Ends & { height: number }>({ first: undefined, last: undefined, is_own: false, height: 0 });
  const [has_new, setNew] = useState(false);
  const goToEnd = useCallback(() => {
    is_following.current = true;
    setNew(false);
    const box = scroller.current;
    if (box !== null) box.scrollTop = box.scrollHeight;
  }, []);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const known = before.current;
    const is_newer = last !== known.last;
    if (is_following.current || (is_newer && is_own)) goToEnd();
    else if (first !== known.first && known.first !== undefined) box.scrollTop += box.scrollHeight - known.height;
    else if (is_newer && known.last !== undefined) setNew(true);
    before.current = { first, last, is_own, height: box.scrollHeight };
  }, [first, last, is_own, goToEnd]);
  useEffect(() => {
    const [box, inner] = [scroller.current, content.current];
    if (box === null || inner === null) return;
    const onScroll = () => {
      is_following.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
      if (is_following.current) setNew(false);
    };
    const observer = new ResizeObserver(() => {
      if (is_following.current) box.scrollTop = box.scrollHeight;
      before.current.height = box.scrollHeight;
    });
    observer.observe(inner);
    observer.observe(box);
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', onScroll);
    };
  }, []);
  return { scroller, content, has_new, goToEnd };
}
