import type { RealtimeData } from './generated/realtime-data.ts';
import type { Reply } from './operation-types.ts';

export type { RealtimeData };

/** A call as every operation returns it. */
export type Call = Reply<'calls', 'getCall'>;
/** One message of a call's chat. */
export type ChatMessage = RealtimeData['chat.message']['message'];
/** The direct messages of two people, as seen by the account. */
export type Thread = Reply<'dm', 'getThread'>;
/** One message of a thread. */
export type DirectMessage = Reply<'dm', 'postThreadMessage'>;
/** Another person, as seen by others. */
export type Person = Call['host'];
/** A post to the followers of a tag. */
export type Status = RealtimeData['status.posted']['status'];
/** A name that is followed, called and written to. */
export type Tag = Reply<'tags', 'getTag'>;
/** A request to follow a tag. */
export type FollowRequest = RealtimeData['follow.requested']['request'];
/** An action of another person that concerns the account. */
export type Notification = RealtimeData['notification.created']['notification'];
/** An uploaded picture, audio, video or other file. */
export type MediaFile = Status['media'][number];

/** A type of realtime event that this client knows. */
export type RealtimeType = keyof RealtimeData;

/** One event of the stream. */
export interface RealtimeEvent<T extends RealtimeType = RealtimeType> {
  /** Identifiers are in time order; the stream resumes after the last one received. */
  readonly id: string;
  readonly type: T;
  /** When it happened, RFC 3339. */
  readonly at: string;
  readonly data: RealtimeData[T];
}
