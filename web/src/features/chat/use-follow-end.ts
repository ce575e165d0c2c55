import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** The name of the line that shows a message. */
export const lineOf = (message_id: string) => `message-${message_id}`;

/** Whoever is this near to the end wants to see what comes. */
const NEAR_PX = 80;

interface Ends {
  /** The oldest and newest that are shown. */
  first: string | undefined;
  last: string | undefined;
  /** The newest is the reader's own. */
  is_own: boolean;
  /** The message at which the list is entered; without it, at its end. */
  at?: string | undefined;
  /** There is more after the newest that is shown: its end is not the end. */
  is_cut?: boolean;
}

/** Brings a message into the middle, and lets it light up for a moment. */
export function showLine(line: HTMLElement | null): void {
  line?.scrollIntoView({ block: 'center' });
  line?.animate({ backgroundColor: ['var(--gold-soft)', 'transparent'] }, { duration: 1_200, easing: 'ease-out' });
}

/**
 * Holds a list of messages where its reader is: at the end it stays there, also while pictures grow; whoever reads older
 * ones is left where they are, and told that there are new ones.
 */
export function useFollowEnd({ first, last, is_own, at, is_cut = false }: Ends) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const is_following = useRef(at === undefined);
  const before = useRef({ first, last, is_own, is_cut, height: 0, is_placed: at === undefined });
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
    if (!known.is_placed && last !== undefined) showLine(document.getElementById(lineOf(at ?? '')));
    else if (!known.is_cut && (is_following.current || (is_newer && is_own))) goToEnd();
    else if (first !== known.first && known.first !== undefined) box.scrollTop += box.scrollHeight - known.height;
    else if (is_newer && known.last !== undefined && !known.is_cut) setNew(true);
    const is_placed = known.is_placed || last !== undefined;
    before.current = { first, last, is_own, is_cut, height: box.scrollHeight, is_placed };
  }, [first, last, is_own, at, is_cut, goToEnd]);
  useEffect(() => {
    const [box, inner] = [scroller.current, content.current];
    if (box === null || inner === null) return;
    const onScroll = () => {
      const { is_cut: goes_on, is_placed } = before.current;
      is_following.current = is_placed && !goes_on && box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
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
