/** The ports of calls: the media server and the phone network. Types only; re-exported by `ports.ts`. */

/** A person's permissions in a room. */
export type MediaRights = { publish: boolean; subscribe: boolean; data: boolean; admin: boolean };

/** A STUN or TURN server in the form of browsers (W3C webrtc-pc, RTCIceServer). */
export type IceServer = { urls: string[]; username?: string; credential?: string };

/** A signed grant, the address to use it at (`ws:` or `wss:`), and the ICE servers of its holder. */
export type MediaGrant = { url: string; token: string; expires_at: Date; ice_servers: IceServer[] };

/** An event of the media server (the relevant webhook events of LiveKit). */
export type MediaEvent = {
  id: string;
  kind: 'participant_joined' | 'participant_left' | 'room_finished';
  room: string;
  identity?: string;
  at: Date;
  /**
   * Attributes of a phone participant, set by a service next to the media server: LiveKit's `sip.` attributes and ours.
   */
  attributes?: Record<string, string>;
  /** Why a participant left: the media server's reason, in lower case. */
  reason?: string;
};

/** Counters of an embedded media server: current numbers, and totals since the start. */
export type MediaCounts = {
  rooms: number;
  participants: number;
  /** RTP packets from and to clients, and their bytes. */
  packets_in: number;
  packets_out: number;
  bytes_in: number;
  bytes_out: number;
  /** Packets from senders that were lost. */
  lost_in: number;
  /** Packets from senders that exceeded their budget. */
  refused_in: number;
  /** Packets that receivers requested again. */
  missed_out: number;
  /** Packets to receivers that exceeded the budget of their room. */
  shed_out: number;
};

/** The holder of a grant, checked with the service each time that it is used. */
export type GrantHolder = {
  session_id: string;
  /** The participant's grant generation when the grant was issued: revoked grants have an older one. */
  generation: number;
};

/** A device whose media a participant sends to the others. */
export type MediaSource = 'microphone' | 'camera';

/** The content of a client's grant. */
export type ReadGrant = GrantHolder & { room: string; identity: string };

/** The media server: LiveKit's protocol, whether embedded or a cluster. */
export type Media = {
  /** The address for clients, `ws:` or `wss:`; pages may connect to no other address. */
  readonly client_url?: string;
  /**
   * A signed grant, valid for `ttl_s` seconds of the wall clock, for a room, an identity and permissions. One with a
   * holder is for a client, and admits to the room only while the service admits its holder; one without is for the
   * service itself.
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
   * Reads the grant about which the media server enquires.
   * @param authorization proves that the request is from the media server
   * @returns undefined when that, or the grant, is not valid
   */
  readGrant(token: string, authorization: string | undefined): Promise<ReadGrant | undefined>;
  /** Creates a room; clients cannot. An existing one is not an error. */
  openRoom(room: string): Promise<void>;
  /** Identities connected to a room now; empty when there is no such room. */
  participants(room: string): Promise<string[]>;
  /** Whether the media server knows a room; one that just became empty still exists for some seconds. */
  hasRoom(room: string): Promise<boolean>;
  /** When it started, as long as it has no rooms: for the embedded one, which restarts with the service. */
  readonly began_at?: Date;
  /**
   * Removes a participant from a room, after revoking their permissions; absence is not an error. Rejects while they
   * are still there.
   */
  remove(room: string, identity: string): Promise<void>;
  /** The devices that a participant has on, in no order; undefined for one who is not connected. */
  sourcesOf(room: string, identity: string): Promise<MediaSource[] | undefined>;
  /** Mutes a participant's microphone, which they can unmute; absence is not an error. */
  mute(room: string, identity: string): Promise<void>;
  /** Ends a room for everybody; an absent room is not an error. */
  closeRoom(room: string): Promise<void>;
  /**
   * Verifies a webhook by its signature over the raw body. Undefined for irrelevant events.
   * @throws when the signature is wrong.
   */
  receive(raw_body: string, authorization: string | undefined): Promise<MediaEvent | undefined>;
  /** Embedded media server only; another one publishes separate metrics. */
  counts?(): MediaCounts;
  close(): Promise<void>;
};

/** A phone to ring: its number in E.164, and its participant in the room once answered. */
export type PhoneLeg = {
  leg_id: string;
  to: string;
  room: string;
  identity: string;
  name: string;
  /** The maximum ringing time and talking time, in seconds. */
  ring_s: number;
  max_duration_s: number;
};

/**
 * A carrier's report about a leg, with its own code: `sip:486`, `twilio:busy`. `cost_micros` is in millionths of a
 * dollar.
 */
export type LegReport = { leg_id: string; code: string; cost_micros?: number };

/** A phone that dials in: its number, the PIN, and the carrier's identifier of the leg. */
export type DialIn = { from: string; pin: string; carrier_id: string };
/** The participant of an admitted phone; undefined for a wrong PIN. */
export type Admitted = { leg_id: string; room: string; identity: string; name: string; max_duration_s: number };

/** A raw request of the carrier. */
export type CarrierRequest = {
  /** The address as configured at the carrier, with its query: signatures cover it. */
  url: string;
  headers: Record<string, string | undefined>;
  raw_body: string;
};
/** The answer to a carrier's request. */
export type CarrierAnswer = { content_type: string; body: string };

/** A websocket on which a carrier sends and receives the audio of one phone. */
export type PhoneSocket = {
  send(text: string): void;
  close(): void;
  onText(receive: (text: string) => void): void;
  /** Called once. */
  onClose(act: () => void): void;
};

/** The phone network. */
export type Telephony = {
  /** The dial-in number, in E.164; undefined when there is none. */
  dial_in_number: string | undefined;
  /**
   * Rings a phone and adds it to the room when it is answered; returns the carrier's identifier of the leg, or the code
   * of a refusal. Further states are reported. Rejects when the carrier cannot be reached.
   */
  dial(leg: PhoneLeg): Promise<{ carrier_id: string } | { refused: string }>;
  /** Ends a leg in any state; one that has ended is not an error. */
  hangUp(leg_id: string, carrier_id: string | null): Promise<void>;
  /** The current state of a leg, for legs without a recent report; undefined when the carrier does not know it. */
  fetchLegState(leg_id: string, carrier_id: string | null): Promise<LegReport | undefined>;
  /** The polling interval of `fetchLegState`, for states that are not reported, in seconds. */
  poll_every_s?: { ringing: number; answered: number };
  /** Handles the media server's events about phones, for a carrier whose phones are its participants. */
  handleMediaEvent?(
    event: MediaEvent,
    admit: (dial_in: DialIn) => Promise<Admitted | undefined>,
  ): Promise<LegReport | undefined>;
  /**
   * Only for a carrier that checks PINs itself: registers the PIN of a room in place of an earlier one. Closing a closed
   * one is not an error.
   */
  dial_in_route?: { open(room: string, pin: string): Promise<void>; close(room: string): Promise<void> };
  /** Receives the audio of a phone, for a carrier that streams it to the service. */
  acceptAudio?(socket: PhoneSocket): void;
  /**
   * Handles a request of the carrier, verified by its signature; undefined when that is wrong.
   * @param admit finds the call of a PIN
   */
  receive(
    request: CarrierRequest,
    admit: (dial_in: DialIn) => Promise<Admitted | undefined>,
  ): Promise<{ report?: LegReport | undefined; answer: CarrierAnswer } | undefined>;
  /** Simulator only: the phones themselves. */
  simulator?: PhoneSimulator;
  close(): Promise<void>;
};

/** The states that an operator of the simulator can put a phone into. */
export type SimulatedState = 'ringing' | 'answered' | 'busy' | 'no_answer' | 'failed' | 'hung_up';

/** What a simulated phone in a room plays and receives. */
export type SimulatedAudio = {
  /** The tone that it plays. */
  tone_hz: number;
  /** The level of received audio now, in dB below full scale (RFC 6464, negated); null when it receives nothing. */
  hears_dbov: number | null;
};

/** Phones operated by hand. */
export type PhoneSimulator = {
  /**
   * Sets the state of a phone: when `answered` it is in the room with audio, otherwise not. Digits are typed once it is
   * connected.
   * @throws when the room cannot be joined
   */
  setState(leg: Admitted, state: SimulatedState, keys?: { digits?: string; tone_hz?: number }): Promise<void>;
  /** Undefined for a phone that is in no room. */
  audioOf(leg_id: string): SimulatedAudio | undefined;
};

/** A phone in a room. Audio is 16 bits at 8 kHz, mono, in frames of 20 ms (160 samples). */
export type JoinedPhone = {
  /** Sends 20 ms; dropped while disconnected. */
  speak(samples: Int16Array): void;
  /** Sends DTMF digits to everybody's clients. */
  sendDigits(digits: string): void;
  /** Leaves for good. */
  leave(): void;
};

/** Adds phones to rooms of any media server. */
export type PhoneParticipants = {
  /**
   * Joins a room as a participant that sends and receives audio. A lost connection is re-established automatically.
   * @throws when the room cannot be joined
   */
  join(
    who: Pick<Admitted, 'room' | 'identity' | 'name'>,
    events: {
      /** 20 ms of received audio, silence included. */
      onAudio(samples: Int16Array): void;
      /** It was removed, or the room has ended; called once, and not after `leave`. */
      onEnd(): void;
    },
  ): Promise<JoinedPhone>;
};
