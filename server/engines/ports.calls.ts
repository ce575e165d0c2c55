/** The ports of calls: the media server and the phone network. Types only; `ports.ts` hands them on. */

/** What a person may do in a room. */
export type MediaRights = { publish: boolean; subscribe: boolean; data: boolean; admin: boolean };

/** A STUN or TURN server, as browsers take it (W3C webrtc-pc, RTCIceServer). */
export type IceServer = { urls: string[]; username?: string; credential?: string };

export type MediaGrant = { url: string; token: string; expires_at: Date; ice_servers: IceServer[] };

/** What the media server says happened (LiveKit's webhook events that matter here). */
export type MediaEvent = {
  id: string;
  kind: 'participant_joined' | 'participant_left' | 'room_finished';
  room: string;
  identity?: string;
  at: Date;
  /** What a service beside the media server says of a participant that is a phone: LiveKit's `sip.` attributes and ours. */
  attributes?: Record<string, string>;
  /** Why a participant left, in the media server's words, in small letters. */
  reason?: string;
};

/** What a media server inside this process counts: what is there now, and what has passed since the start. */
export type MediaCounts = {
  rooms: number;
  participants: number;
  /** RTP packets from and to clients, and the octets that they held. */
  packets_in: number;
  packets_out: number;
  bytes_in: number;
  bytes_out: number;
  /** Packets of senders that did not arrive. */
  lost_in: number;
  /** Packets that receivers asked for again. */
  missed_out: number;
};

/** Whom a grant was made out to: what the service asks about it each time that it is used. */
export type GrantHolder = {
  session_id: string;
  /** How often the grants of this participant had been withdrawn when this one was made. */
  generation: number;
};

/** What a grant of a client says. */
export type ReadGrant = GrantHolder & { room: string; identity: string };

/** The media server: LiveKit's protocol, whether embedded or a cluster. */
export type Media = {
  /** Where clients connect, `ws:` or `wss:`; a page may connect nowhere else. */
  readonly client_url?: string;
  /**
   * A signed grant, good for `ttl_s` seconds of the wall clock, bound to room, identity and rights. One with a holder is
   * for a client, and opens the room only while the service admits its holder; one without is for the service itself.
   */
  grant(input: {
    room: string;
    identity: string;
    name: string;
    rights: MediaRights;
    ttl_s: number;
    holder?: GrantHolder;
  }): Promise<MediaGrant>;
  /**
   * Reads the grant that the media server asks about.
   * @param authorization by which the media server shows that it is the one that asks
   * @returns undefined when that, or the grant, is not valid
   */
  readGrant(token: string, authorization: string | undefined): Promise<ReadGrant | undefined>;
  /** Makes a room; nobody else can. One that is there is no error. */
  openRoom(room: string): Promise<void>;
  /** Identities connected to a room now; empty when there is no such room. */
  participants(room: string): Promise<string[]>;
  /** Whether the media server knows a room; one that just lost everybody is known for some seconds more. */
  hasRoom(room: string): Promise<boolean>;
  /** When it began, without any room: of the embedded one, which restarts with the service. */
  readonly began_at?: Date;
  /** Takes somebody out of a room, their rights first; not being there is no error. Rejects while they are still there. */
  remove(room: string, identity: string): Promise<void>;
  /** Mutes the microphone of somebody, who can switch it on again; not being there is no error. */
  mute(room: string, identity: string): Promise<void>;
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
  max_duration_s: number;
};

/** What a carrier says of a leg, in its own words: `sip:486`, `twilio:busy`. `cost_micros` is in millionths of a dollar. */
export type LegReport = { leg_id: string; code: string; cost_micros?: number };

/** A phone that asks to come in: whose it is, the digits that it sent, and what the carrier calls the leg. */
export type DialIn = { from: string; pin: string; carrier_id: string };
/** Where a phone that dialled in belongs; undefined when its digits open nothing. */
export type Admitted = { leg_id: string; room: string; identity: string; name: string; max_duration_s: number };

/** A request of the carrier, as it came. */
export type CarrierRequest = {
  /** The address as the carrier was given it, with its query: signatures cover it. */
  url: string;
  headers: Record<string, string | undefined>;
  raw_body: string;
};
/** What the carrier shall hear in answer. */
export type CarrierAnswer = { content_type: string; body: string };

/** A websocket on which a carrier sends and takes the sound of one phone. */
export type PhoneLine = {
  send(text: string): void;
  close(): void;
  onText(take: (text: string) => void): void;
  /** Told once. */
  onClose(act: () => void): void;
};

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
  /** How often a leg is asked about by `look` while it rings and while it talks, for what no report tells, in seconds. */
  ask_every_s?: { ringing: number; answered: number };
  /** Takes what the media server says of phones in its rooms, for a carrier that has its phones there. */
  hear?(event: MediaEvent, admit: (dial_in: DialIn) => Promise<Admitted | undefined>): Promise<LegReport | undefined>;
  /** Only of a carrier that compares the digits itself: which ones open a room. Closing what is closed is no error. */
  dial_in_route?: { open(room: string, pin: string): Promise<void>; close(room: string): Promise<void> };
  /** Takes the sound of a phone, for a carrier that sends it to us. */
  takeLine?(line: PhoneLine): void;
  /**
   * Takes a request of the carrier, verified by its signature; undefined when that is wrong.
   * @param admit finds the call that the digits of a phone open
   */
  receive(
    request: CarrierRequest,
    admit: (dial_in: DialIn) => Promise<Admitted | undefined>,
  ): Promise<{ report?: LegReport | undefined; answer: CarrierAnswer } | undefined>;
  /** Only of the simulator: the phones themselves. */
  simulator?: PhoneSimulator;
  close(): Promise<void>;
};

export type SimulatedState = 'ringing' | 'answered' | 'busy' | 'no_answer' | 'failed' | 'hung_up';

/** What a simulated phone that is in its room plays and hears. */
export type SimulatedSound = {
  /** The tone that it plays. */
  tone_hz: number;
  /** How loud what it hears is now, in dB below the loudest possible (RFC 6464, negated); null when it hears nothing. */
  hears_dbov: number | null;
};

/** Phones that somebody plays by hand. */
export type PhoneSimulator = {
  /**
   * Does what a state means for a phone: `answered` is in the room with sound, anything else is not. Digits are typed
   * on its keys once it is in.
   * @throws when the room cannot be joined
   */
  play(leg: Admitted, state: SimulatedState, keys?: { digits?: string; tone_hz?: number }): Promise<void>;
  /** Undefined for a phone that is in no room. */
  soundOf(leg_id: string): SimulatedSound | undefined;
};

/** A phone that is in a room. Sound is 16 bits at 8 kHz on one channel, in pieces of 20 ms (160 samples). */
export type Voice = {
  /** Says 20 ms; what is said while the line is down is lost. */
  speak(samples: Int16Array): void;
  /** Sends what is typed on the keys to everybody's clients. */
  sendDigits(digits: string): void;
  /** Leaves for good. */
  leave(): void;
};

/** Puts phones into rooms of the media server, whichever it is. */
export type Voices = {
  /**
   * Joins a room as a participant that speaks and hears. A line that is lost comes back by itself.
   * @throws when the room cannot be joined
   */
  join(
    who: Pick<Admitted, 'room' | 'identity' | 'name'>,
    events: {
      /** 20 ms of what is heard, silence too. */
      onSound(samples: Int16Array): void;
      /** It was sent away, or the room is over; told once, and not after `leave`. */
      onEnd(): void;
    },
  ): Promise<Voice>;
};
