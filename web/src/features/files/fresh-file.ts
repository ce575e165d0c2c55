import type { MediaFile } from '@asterism/sdk';
import { useEffect, useRef, useState } from 'react';
import { sdk } from '../../asterism.ts';

/** The file with addresses that are good now: those of a list may have ended, and then fresh ones are asked for, once. */
export function useFreshFile(file: MediaFile) {
  const [stream_url, setStreamUrl] = useState(file.stream_url);
  const asked = useRef(false);
  useEffect(() => {
    asked.current = false;
    setStreamUrl(file.stream_url);
  }, [file.stream_url]);
  const renew = () => {
    if (asked.current) return;
    asked.current = true;
    sdk.files.createStreamToken({ path: { file_id: file.id } }).then(
      (fresh) => setStreamUrl(fresh.stream_url),
      // What may not be seen any more stays silent.
      () => undefined,
    );
  };
  return { stream_url, renew, is_fresh: stream_url !== file.stream_url };
}
