/** The ports of calls: the media server, its recorder, and the phone network. Types only; `ports.ts` hands them on. */

/** What a person may do in a room. */
export type MediaRights = { publish: boolean; subscribe: boolean; data: boolean; admin: boolean };

export type MediaGrant = { url: string; token: string; expires_at: Date };

/** What the media server says happened (LiveKit's webhook events that matter here). */
export type MediaEvent = {
  id: string;
  kind: 'participant_joined' | 'participant_left' | 'room_finished';
  room: string;
  identity?: string;
  at: Date;
};

/** What a media server inside this process counts; packets are RTP packets from and to clients since the start. */
export type MediaCounts = { rooms: number; participants: number; packets_in: number; packets_out: number };

/** The media server: LiveKit's protocol, whether embedded or a cluster. */
export type Media = {
  /** A signed grant, good for `ttl_s` seconds of the wall clock, bound to room, identity and rights. */
  grant(input: {
    room: string;
    identity: string;
    name: string;
    rights: MediaRights;
    ttl_s: number;
  }): Promise<MediaGrant>;
  /** Identities connected to a room now; empty when there is no such room. */
  participants(room: string): Promise<string[]>;
  /** Whether the media server knows a room; one that just lost everybody is known for some seconds more. */
  hasRoom(room: string): Promise<boolean>;
  /** Takes somebody out of a room; not being there is no error. */
  remove(room: string, identity: string): Promise<void>;
  /** Ends a room for everybody; an absent room is no error. */
  closeRoom(room: string): Promise<void>;
  /** Verifies a webhook by its signature over the raw body. Undefined for events that do not matter. @throws when the signature is wrong. */
  receive(raw_body: string, authorization: string | undefined): Promise<MediaEvent | undefined>;
  /** Only of the embedded one; another media server publishes metrics of its own. */
  counts?(): MediaCounts;
  close(): Promise<void>;
};

/** A phone to ring: its number in E.164, and who it is in the room once it is picked up. */
export type PhoneLeg = {
  leg_id: string;
  to: string;
  room: string;
  identity: string;
  name: string;
  /** How long it may ring, and how long it may talk, in seconds. */
  ring_s: number;
  longest_s: number;
};

/** What a carrier says of a leg, in its own words: `sip:486`, `twilio:busy`. `cost_micros` is in millionths of a dollar. */
export type LegReport = { leg_id: string; code: string; cost_micros?: number };

/** A phone that asks to come in: whose it is, the digits that it sent, and what the carrier calls the leg. */
export type DialIn = { from: string; pin: string; carrier_id: string };
/** Where a phone that dialled in belongs; undefined when its digits open nothing. */
export type Admitted = { leg_id: string; room: string; identity: string; name: string; longest_s: number };

/** A request of the carrier, as it came. */
export type CarrierRequest = {
  /** The address as the carrier was given it, with its query: signatures cover it. */
  url: string;
  headers: Record<string, string | undefined>;
  raw_body: string;
};
/** What the carrier shall hear in answer. */
export type CarrierAnswer = { content_type: string; body: string };

/** The phone network. */
export type Telephony = {
  /** The number under which phones dial in, in E.164; undefined when there is none. */
  dial_in_number: string | undefined;
  /**
   * Rings a phone and joins it to the room when it is picked up; answers what the carrier calls the leg, or the code with
   * which it refuses. What becomes of it is told by reports. Rejects when the carrier cannot be asked.
   */
  dial(leg: PhoneLeg): Promise<{ carrier_id: string } | { refused: string }>;
  /** Ends a leg in any state; one that has ended is no error. */
  hangUp(leg_id: string, carrier_id: string | null): Promise<void>;
  /** What the carrier says of a leg now, asked when it was silent for long; undefined when it does not know the leg. */
  look(leg_id: string, carrier_id: string | null): Promise<LegReport | undefined>;
  /**
   * Takes a request of the carrier, verified by its signature.
   * @param admit finds the call that the digits of a phone open
   * @throws when the signature is wrong
   */
  receive(
    request: CarrierRequest,
    admit: (dial_in: DialIn) => Promise<Admitted | undefined>,
  ): Promise<{ report?: LegReport; answer: CarrierAnswer }>;
  /** Only of the simulator: does what somebody at the other end would do, and answers what a carrier would report. */
  simulate?(leg_id: string, state: SimulatedState, digits?: string): Promise<LegReport>;
  close(): Promise<void>;
};

export type SimulatedState = 'ringing' | 'answered' | 'busy' | 'no_answer' | 'failed' | 'hung_up';

/** From and to, in ms from a recording's start. */
export type RecordedSpan = { from_ms: number; to_ms: number };

/** One track of a recording: Ogg Opus as it came from the sender, with gaps kept in time. */
export type RecordedTrack = {
  /** A file of this machine, there until the recording is discarded. */
  path: string;
  identity: string;
  /** The name that the grant gave. */
  name: string;
  /** `microphone` or `screen_share_audio`. */
  source: string;
  /** Where the file begins, in ms from the recording's start. */
  starts_ms: number;
  duration_ms: number;
  size_bytes: number;
  muted: RecordedSpan[];
  /** When the media server counted the person as speaking. */
  spoke: RecordedSpan[];
};

export type Recorded = {
  recording_id: string;
  room: string;
  started_at: Date;
  duration_ms: number;
  tracks: RecordedTrack[];
};

/** A recording under way in this process. */
export type Recording = {
  /** Resolves when it has ended: by `stop`, because its room did, or because its listener was removed from the room. */
  ended: Promise<Recorded>;
  /** Ends it. A repeat answers the same. */
  stop(): Promise<Recorded>;
};

/**
 * Records rooms of the media server, whichever it is, as a participant that is hidden, keeps no room alive and is not
 * among `Media.participants`. Clients of LiveKit's SDKs are told by it that the room is being recorded.
 */
export type Recorder = {
  /**
   * Joins a room that is there and begins. A repeat with the id of one that runs here answers that one.
   * @param recording_id letters, digits, `_` and `-`
   * @throws when the room is not there or cannot be joined
   */
  start(input: { room: string; recording_id: string }): Promise<Recording>;
  /** Whom to remove from the room (`Media.remove`) to end a recording that another node runs. */
  identityOf(recording_id: string): string;
  /** What lies here and does not run, whole but for the last second when its process was killed: mix it, keep it, discard it. */
  recover(): Promise<Recorded[]>;
  /** Takes the files of a recording away; being gone is no error. */
  discard(recording_id: string): Promise<void>;
  /** Ends all that run here; `recover` finds them. */
  close(): Promise<void>;
};
