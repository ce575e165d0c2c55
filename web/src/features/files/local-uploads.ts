/** Uploads of files of this device, each of them once, and addresses at which this page shows the files. */
import type { Input, MediaFile } from '@asterism/sdk';

/** An upload: its result, and the share of it that was sent, 0 to 1. */
interface UploadState {
  readonly result: Promise<MediaFile>;
  sent: number;
}

type UploadInput = Input<'files', 'uploadFile'>;
/** The operation that uploads a file. */
export type UploadFile = (input: UploadInput) => Promise<MediaFile>;

const uploads = new WeakMap<Blob, UploadState>();
const addresses = new WeakMap<Blob, string>();
const listeners = new Set<() => void>();

/** Uploads a file once: while that is under way or done, others get the same result. */
export function uploadOnce(input: UploadInput, upload: UploadFile): Promise<MediaFile> {
  const { file, onProgress } = input;
  const begun = uploads.get(file);
  if (begun !== undefined) return begun.result;
  const state = {
    sent: 0,
    result: upload({
      ...input,
      onProgress: (progress) => {
        onProgress?.(progress);
        state.sent = progress.sent_bytes / Math.max(1, progress.total_bytes);
        for (const listener of listeners) listener();
      },
    }),
  };
  uploads.set(file, state);
  // A failed one can be repeated.
  state.result.catch(() => uploads.delete(file));
  return state.result;
}

/** The address at which this page can show a file. */
export function addressOf(file: Blob): string {
  const address = addresses.get(file) ?? URL.createObjectURL(file);
  addresses.set(file, address);
  return address;
}

const REVOKE_AFTER_MS = 10_000;

/** Frees the address of a file, once no page shows it any more. */
export function forgetAddress(file: Blob): void {
  const address = addresses.get(file);
  addresses.delete(file);
  if (address !== undefined) setTimeout(() => URL.revokeObjectURL(address), REVOKE_AFTER_MS);
}

/** The share of a file that was sent, 0 to 1. */
export const sentOf = (file: Blob | undefined): number => (file === undefined ? 0 : (uploads.get(file)?.sent ?? 0));

/** Subscribes to the progress of uploads. @returns a function that unsubscribes */
export function subscribeSent(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
