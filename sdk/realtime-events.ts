import type { RealtimeData } from './generated/realtime-data.ts';
import type { Reply } from './operation-types.ts';

export type { RealtimeData };

/** A call as every operation answers it. */
export type Call = Reply<'calls', 'getCall'>;
/** One message of a call's chat. */
export type ChatMessage = RealtimeData['chat.message']['message'];
/** What two people write to each other, as the account sees it. */
export type Thread = Reply<'dm', 'getThread'>;
/** One message of a thread. */
export type DirectMessage = Reply<'dm', 'postThreadMessage'>;
/** Somebody else, as seen by others. */
export type Person = Call['host'];
/** What somebody posted to their followers. */
export type Status = RealtimeData['status.posted']['status'];
/** A public address of somebody. */
export type Tag = Reply<'tags', 'getTag'>;
/** A request to follow a tag. */
export type FollowRequest = RealtimeData['follow.requested']['request'];
/** What others did that concerns the account. */
export type Notification = RealtimeData['notification.created']['notification'];
/** A picture, sound, film or anything else that was uploaded. */
export type MediaFile = Status['media'][number];

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
