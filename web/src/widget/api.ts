/** Whether the stream is connected, is being connected again, or has been ended by the service. */
export type StreamState = 'live' | 'lost' | 'over';

/**
 * The API client of a widget's guest: a token that expires after an hour, a few operations, and the realtime stream.
 */
import { RefusedError, type GuestToken, type Host } from './host.ts';

export type Reaction = { emoji: string; user_id?: string; guest_id?: string };

export type Message = {
  id: string;
  author: {
    user: { id: string; display_name: string; username: string } | null;
    guest: { id: string; name: string; name_is_default?: true } | null;
  } | null;
  body: string;
  file: { stream_url: string; kind: string } | null;
  /** All files of a message that has several. */
  files?: readonly { stream_url: string; kind: string }[];
  reply_to: string | null;
  reactions: Reaction[];
  created_at: string;
  edited_at: string | null;
  deleted_at: string | null;
};

export type Participant = { guest: { id: string } | null; user: { display_name: string } | null; state: string };
export type Call = { conference_id: string; join_code: string; state: string; participants: Participant[] };
export type SfuGrant = { url: string; token: string; ice_servers: RTCIceServer[] };

export type StreamEvent = { id: string; type: string; data: Record<string, unknown> };

/** The requests of a widget. */
export type Api = {
  guest(): GuestToken | undefined;
  /** One request as the guest, with a new token when theirs has expired. */
  call<T>(route: string, body?: unknown, headers?: Record<string, string>): Promise<T>;
  /** Subscribes to the stream for the lifetime of the frame; `onState` reports the state of the connection. */
  follow(onEvent: (event: StreamEvent) => void, onState: (state: StreamState) => void): void;
};

const RETRY_FROM_MS = 500;
const RETRY_UP_TO_MS = 15_000;
/** The close code after the widget was disabled (docs/api.md, "Realtime"). */
const REVOKED = 4001;

/** Creates the client of one frame. `nameOf` returns the name that the guest has entered, for a new token. */
export function openApi(host: Host, nameOf: () => string): Api {
  let guest: GuestToken | undefined;
  let asking: Promise<GuestToken> | undefined;

  const enter = async (): Promise<GuestToken> => {
    asking ??= host.requestToken(nameOf()).finally(() => {
      asking = undefined;
    });
    guest = await asking;
    return guest;
  };

  async function call<T>(route: string, body?: unknown, headers: Record<string, string> = {}): Promise<T> {
    const [method = 'GET', path = ''] = route.split(' ');
    const send = async () => {
      const { token } = guest ?? (await enter());
      return fetch(`/v1${path}`, {
        method,
        credentials: 'omit',
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch(() => {
        throw new RefusedError(0);
      });
    };
    let response = await send();
    if (response.status === 401) {
      guest = undefined;
      response = await send();
    }
    if (!response.ok) throw new RefusedError(response.status);
    return (response.status === 204 ? undefined : await response.json()) as T;
  }

  const end = () => {
    guest = undefined;
  };
  return { guest: () => guest, call, follow: (onEvent, onState) => followStream(call, end, onEvent, onState) };
}

/** Keeps a connection to the stream, which resumes after an interruption. `end` discards an expired token. */
function followStream(
  call: Api['call'],
  end: () => void,
  onEvent: (event: StreamEvent) => void,
  onState: (state: StreamState) => void,
): void {
  let last_event_id: string | undefined;
  let wait_ms = RETRY_FROM_MS;
  const again = () => {
    setTimeout(() => void connect(), wait_ms);
    wait_ms = Math.min(wait_ms * 2, RETRY_UP_TO_MS);
  };
  const connect = async (): Promise<void> => {
    try {
      const grant = await call<{ url: string; token: string; last_event_id: string }>('POST /realtime/grant', {});
      const socket = new WebSocket(grant.url);
      socket.addEventListener('open', () =>
        socket.send(
          JSON.stringify({ type: 'resume', token: grant.token, ...(last_event_id ? { last_event_id } : {}) }),
        ),
      );
      socket.addEventListener('message', ({ data }) => {
        const event = JSON.parse(String(data)) as StreamEvent & { last_event_id?: string };
        last_event_id = event.id ?? event.last_event_id ?? last_event_id;
        if (event.type === 'ready' || event.type === 'reset') {
          wait_ms = RETRY_FROM_MS;
          onState('live');
        }
        onEvent(event);
      });
      socket.addEventListener('close', ({ code }) => {
        if (code === REVOKED) end();
        onState('lost');
        again();
      });
    } catch (error) {
      const is_over = error instanceof RefusedError && [403, 422].includes(error.status);
      onState(is_over ? 'over' : 'lost');
      if (!is_over) again();
    }
  };
  void connect();
}
