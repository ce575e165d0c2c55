import type { Reply } from './operation-types.ts';

/** A call as every operation answers it. */
export type Call = Reply<'calls', 'getCall'>;
/** One message of a call's chat. */
export type ChatMessage = Reply<'calls', 'listCallChat'>['items'][number];
/** Somebody else, as seen by others. */
export type Person = Call['host'];

/** What each type of realtime event carries in `data`. */
export interface RealtimeData {
  'call.ringing': { call: Call };
  'call.updated': { call: Call };
  'call.ended': { call: Call };
  'chat.message': { conference_id: string; join_code: string; message: ChatMessage };
  'chat.typing': { conference_id: string; join_code: string; user: Person };
  'session.revoked': { session_id: string };
}

/** A type of realtime event that this client knows. */
export type RealtimeType = keyof RealtimeData;

/** One event of the stream. */
export interface RealtimeEvent<T extends RealtimeType = RealtimeType> {
  /** Time-ordered; the stream resumes after it. */
  readonly id: string;
  readonly type: T;
  /** When it happened, RFC 3339. */
  readonly at: string;
  readonly data: RealtimeData[T];
}
