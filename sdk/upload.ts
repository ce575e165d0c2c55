import type { UploadProgress } from './operation-types.ts';

/** The part of XMLHttpRequest that is used here; the library's own types are those of a browser. */
interface UploadRequest {
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: unknown): void;
  abort(): void;
  getAllResponseHeaders(): string;
  readonly status: number;
  readonly responseText: string;
  readonly upload: {
    addEventListener(type: 'progress', listener: (event: { loaded: number; total: number }) => void): void;
  };
  addEventListener(type: 'load' | 'error' | 'abort', listener: () => void): void;
}

/**
 * Sends a multipart body and reports its progress: with XMLHttpRequest where it exists, since browsers' fetch has no
 * upload progress. Elsewhere it uses fetch, and reports only the end.
 * @throws TypeError when there is no response, as fetch does, and the signal's reason when it is aborted
 */
export async function sendUpload(
  address: string,
  init: RequestInit,
  onProgress: (progress: UploadProgress) => void,
  fetchOnce: typeof fetch,
): Promise<Response> {
  const Request = (globalThis as { XMLHttpRequest?: new () => UploadRequest }).XMLHttpRequest;
  if (Request !== undefined) return sendByRequest(new Request(), address, init, onProgress);
  const total_bytes = sizeOf(init.body as FormData);
  onProgress({ sent_bytes: 0, total_bytes });
  const response = await fetchOnce(address, init);
  onProgress({ sent_bytes: total_bytes, total_bytes });
  return response;
}

function sizeOf(form: FormData): number {
  return [...form.values()].reduce((sum, part) => sum + (part instanceof Blob ? part.size : part.length), 0);
}

async function sendByRequest(
  request: UploadRequest,
  address: string,
  init: RequestInit,
  onProgress: (progress: UploadProgress) => void,
): Promise<Response> {
  const { signal } = init;
  if (signal?.aborted) throw signal.reason;
  const stop = () => request.abort();
  try {
    return await new Promise<Response>((resolve, reject) => {
      request.open(init.method ?? 'POST', address);
      for (const [name, value] of Object.entries(init.headers ?? {})) request.setRequestHeader(name, String(value));
      request.upload.addEventListener('progress', ({ loaded, total }) => {
        onProgress({ sent_bytes: loaded, total_bytes: total });
      });
      request.addEventListener('load', () => resolve(readResponse(request)));
      request.addEventListener('error', () => reject(new TypeError('The upload had no answer.')));
      request.addEventListener('abort', () => reject(signal?.reason as Error));
      signal?.addEventListener('abort', stop, { once: true });
      request.send(init.body);
    });
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function readResponse(request: UploadRequest): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  // A Response of these statuses must not have a body (Fetch standard, null body status).
  const empty = request.status === 204 || request.status === 205 || request.status === 304;
  return new Response(empty ? null : request.responseText, { status: request.status, headers });
}
