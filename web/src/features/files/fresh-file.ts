import type { MediaFile } from '@asterism/sdk';
import { useEffect, useRef, useState } from 'react';
import { sdk } from '../../asterism.ts';

/** The minimum interval between renewals, for a file that cannot be shown for another reason. */
const AGAIN_MS = 60_000;

/** A file with a valid address: the address in a list may have expired, and so may one that was fetched later. */
export function useFreshFile(file: MediaFile) {
  const [stream_url, setStreamUrl] = useState(file.stream_url);
  const [is_lost, setLost] = useState(false);
  const asked_ms = useRef(-Infinity);
  useEffect(() => {
    asked_ms.current = -Infinity;
    setLost(false);
    setStreamUrl(file.stream_url);
  }, [file.stream_url]);
  const renew = () => {
    // A renewed address that fails as well.
    if (performance.now() - asked_ms.current < AGAIN_MS) return setLost(true);
    asked_ms.current = performance.now();
    setLost(false);
    sdk.files.createStreamToken({ path: { file_id: file.id } }).then(
      (fresh) => setStreamUrl(fresh.stream_url),
      () => setLost(true),
    );
  };
  return { stream_url, renew, is_fresh: stream_url !== file.stream_url, is_lost };
}
