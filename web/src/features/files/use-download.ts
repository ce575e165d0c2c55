import type { MediaFile } from '@asterism/sdk';
import { useMutation } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';

/** Downloads a file. Its address is fetched when it is needed, since the one in a list may have expired. */
export function useDownload(file: MediaFile) {
  return useMutation({
    mutationFn: () => sdk.files.createStreamToken({ path: { file_id: file.id } }),
    onSuccess: ({ stream_url }) =>
      Object.assign(document.createElement('a'), { href: stream_url, download: '' }).click(),
    onError: (error) => showToast(describeProblem(error)),
  });
}
