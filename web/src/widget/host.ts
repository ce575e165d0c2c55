/** The messages between the frame of a widget and the embedding page; both verify the origin of a message. */

/** The token of a guest, which the page around the widget stores. */
export type GuestToken = {
  token: string;
  expires_at: string;
  widget_id: string;
  guest: { id: string; name: string };
};

/** Where the frame of a widget is shown; sizes in CSS pixels. */
export type Placement = { open: boolean; width: number; height: number; side: 'left' | 'right' };

/** The page around the frame of a widget. */
export type Host = {
  /** Requests a token from the page; rejects with the status of the service, or 0 when it was not reached. */
  requestToken(name: string): Promise<GuestToken>;
  place(placement: Placement): void;
};

/** A refused request; its status is 0 without a network. */
export class RefusedError extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`refused with ${status}`);
    this.status = status;
  }
}

/** The timeout of the page's answer with a token. */
const ANSWER_WITHIN_MS = 15_000;

/** Sets the colours of a widget that follows the scheme that the reader prefers. */
export function applyColourScheme(is_dark: boolean): void {
  document.documentElement.toggleAttribute('data-dark', is_dark);
}

/** Connects to the embedding page, once that has identified itself with one of its allowed origins. */
export function connectToHost(allowed: readonly string[]): Host {
  let origin: string | undefined;
  let placement: Placement | undefined;
  let answer: { resolve(token: GuestToken): void; reject(error: RefusedError): void } | undefined;
  const tell = (message: object) => {
    if (origin !== undefined) window.parent.postMessage(message, origin);
  };
  window.addEventListener(
    'message',
    (event: MessageEvent<{ type?: string; status?: number; is_dark?: boolean } | null>) => {
      if (event.source !== window.parent || !allowed.includes(event.origin) || !event.data) return;
      if (event.data.type === 'asterism:hello') {
        origin = event.origin;
        applyColourScheme(event.data.is_dark === true);
        if (placement) tell({ type: 'asterism:place', ...placement });
      }
      if (event.origin !== origin) return;
      if (event.data.type === 'asterism:token') answer?.resolve(event.data as unknown as GuestToken);
      if (event.data.type === 'asterism:refused') answer?.reject(new RefusedError(event.data.status ?? 0));
    },
  );
  return {
    requestToken: (name) =>
      new Promise((resolve, reject) => {
        answer = { resolve, reject };
        setTimeout(() => reject(new RefusedError(0)), ANSWER_WITHIN_MS);
        tell({ type: 'asterism:ask', name });
      }),
    place(next) {
      placement = next;
      tell({ type: 'asterism:place', ...next });
    },
  };
}
