import { useCallback, useContext, useEffect, useState } from 'react';
import { StreamContext } from '../../../data/stream.ts';
import { nameOf } from '../../../ui/avatar.tsx';
import { showToast } from '../../../ui/overlay/toast.tsx';
import { i18n } from '../../../i18n/i18n.ts';
import { createMuteNotices } from '../state/mute-notices.ts';

const tell = (name: string | undefined) =>
  showToast(name === undefined ? i18n.t('You were muted.') : i18n.t('{name} muted you.', { name }));

/**
 * Tells the reader who muted them.
 * @returns what to call when the media server has muted them
 */
export function useMuteNotice(join_code: string): () => void {
  const stream = useContext(StreamContext);
  const [notices] = useState(() => createMuteNotices(tell));
  useEffect(
    () =>
      stream?.on('call.muted', ({ data }) => {
        if (data.join_code === join_code) notices.onNamed(nameOf(data.by), performance.now());
      }),
    [stream, join_code, notices],
  );
  return useCallback(() => notices.onMuted(performance.now()), [notices]);
}
