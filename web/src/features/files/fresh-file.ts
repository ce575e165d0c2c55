import type { MediaFile } from '@asterism/sdk';
import { useEffect, useRef, useState } from 'react';
import { sdk } from '../../asterism.ts';

/** A file that cannot be shown for another reason is not asked for over and over. */
const AGAIN_MS = 60_000;

/** The file with an address that is good now: that of a list may have ended, and so may the one that was asked for then. */
export function useFreshFile(file: MediaFile) {
  const [stream_url, setStreamUrl] = useState(file.stream_url);
  const asked_ms = useRef(-Infinity);
  useEffect(() => {
    asked_ms.current = -Infinity;
    setStreamUrl(file.stream_url);
  }, [file.stream_url]);
  const renew = () => {
    if (performance.now() - asked_ms.current < AGAIN_MS) return;
    asked_ms.current = performance.now();
    sdk.files.createStreamToken({ path: { file_id: file.id } }).then(
      (fresh) => setStreamUrl(fresh.stream_url),
      // What may not be seen any more stays silent.
      () => undefined,
    );
  };
  return { stream_url, renew, is_fresh: stream_url !== file.stream_url };
}
