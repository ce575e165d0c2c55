import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { i18n } from '../../../i18n/i18n.ts';
import { showToast } from '../../../ui/overlay/toast.tsx';
import type { ChatPictures, LightboxPicture } from './pictures.ts';

const unchanging = () => () => undefined;

/**
 * Looks for older pictures and videos of a chat, page by page, once the reader asks for them.
 * @param oldest the oldest one that is known
 * @param onFound the next older ones, the oldest first
 */
export function useOlder(
  chat: ChatPictures | undefined,
  oldest: LightboxPicture | undefined,
  onFound: (older: readonly LightboxPicture[]) => void,
) {
  const state = useSyncExternalStore(chat?.subscribe ?? unchanging, () => chat?.older() ?? 'none');
  const [is_seeking, setSeeking] = useState(false);
  /** Whether a page was requested since the reader asked: an earlier failure is tried again. */
  const has_asked = useRef(false);
  useEffect(() => {
    if (!is_seeking || chat === undefined || state === 'loading') return;
    const found = chat.read().filter(({ at }) => at < (oldest?.at ?? ''));
    if (found.length === 0 && state !== 'none' && (state === 'ready' || !has_asked.current)) {
      has_asked.current = true;
      chat.loadOlder();
      return;
    }
    setSeeking(false);
    if (found.length > 0) onFound(found);
    else if (state === 'failed') showToast(i18n.t('Couldn’t load older pictures. Check the connection and try again.'));
  }, [is_seeking, chat, state]);
  const seek = useCallback((is_wanted: boolean) => {
    has_asked.current = false;
    setSeeking(is_wanted);
  }, []);
  return { has_older: state !== 'none', is_seeking, seek };
}
