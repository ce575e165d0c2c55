import type { MediaFile } from '@asterism/sdk';
import { useMutation } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';

/** The name under which a file is saved: its own, or for a picture, which has none, its time. */
function nameToSave({ name, kind, content_type, created_at }: MediaFile): string {
  if (name !== undefined || kind !== 'image') return name ?? '';
  return `asterism-${created_at.slice(0, 19).replaceAll(/\D/g, '-')}.${content_type.replace('image/', '')}`;
}

/** Downloads a file. Its address is fetched when it is needed, since the one in a list may have expired. */
export function useDownload(file: MediaFile) {
  return useMutation({
    // One that is still on this device has an address that only this page knows.
    mutationFn: async () =>
      file.stream_url.startsWith('blob:') ? file : sdk.files.createStreamToken({ path: { file_id: file.id } }),
    onSuccess: ({ stream_url }) =>
      Object.assign(document.createElement('a'), { href: stream_url, download: nameToSave(file) }).click(),
    onError: (error) => showToast(describeProblem(error)),
  });
}
