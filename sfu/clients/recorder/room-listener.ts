/** A hidden participant that receives everybody: one session in a room, by LiveKit's protocol. */
import {
  LeaveRequest,
  LeaveRequest_Action,
  ParticipantInfo_State,
  Ping,
  SessionDescription,
  SignalRequest,
  SignalResponse,
  SignalTarget,
  TrackType,
  UpdateSubscription,
  UpdateTrackSettings,
  VideoQuality,
  type ParticipantInfo,
  type SpeakerInfo,
  type TrackInfo,
} from '@livekit/protocol';
import { WebSocket } from 'ws';
import { createReceivingPeer, type ReceivingPeer, type TrackPacket } from './receiving-peer.ts';

/** A track that the recorder is subscribed to. */
export type SubscribedTrack = {
  track_sid: string;
  identity: string;
  name: string;
  kind: 'audio' | 'video';
  /** Such as `video/VP8`; empty where the server does not say. */
  codec: string;
  source: string;
  muted: boolean;
};

/** What happens in a room. */
export type ListenerEvents = {
  /** The tracks in the room, video included if it is received, after each change. */
  onTracks(tracks: SubscribedTrack[]): void;
  onPacket(packet: TrackPacket): void;
  /** Who started and who stopped speaking. */
  onSpeaking(identity: string, active: boolean): void;
  /** Whether a participant must be left out; evaluated after each change in the room. */
  isWithheld?(identity: string): boolean;
  /**
   * The session has ended: permanently when the server removed the participant, otherwise it may reconnect. Called
   * once. With the reason if the media server's handshake did not prove who it is.
   */
  onEnd(may_return: boolean, refusal?: Error): void;
  /** Messages that only concern participants who publish. */
  onOther?(message: SignalResponse['message']): void;
};

const SOURCES = ['unknown', 'camera', 'microphone', 'screen_share', 'screen_share_audio'];
/** The largest simulcast layer that is received, in pixels. */
const MAX_WIDTH = 1_280;
const MAX_HEIGHT = 720;
const PING_MS = 4_000;
const SILENCE_MS = 15_000;
const JOIN_TIMEOUT_MS = 10_000;

/** Whether tracks of a codec are recorded: audio is always Opus, and video must be VP8. */
export const isRecordable = (kind: SubscribedTrack['kind'], codec: string): boolean =>
  kind === 'audio' || codec === '' || codec.toLowerCase() === 'video/vp8';

/** The best layer within the bound, or the smallest one. */
function chooseQuality({ layers }: TrackInfo): VideoQuality {
  const sorted = layers.toSorted((a, b) => b.height * b.width - a.height * a.width);
  const fitting = sorted.find(
    ({ width, height }) => Math.max(width, height) <= MAX_WIDTH && Math.min(width, height) <= MAX_HEIGHT,
  );
  return (fitting ?? sorted.at(-1))?.quality ?? VideoQuality.HIGH;
}

/** One connection to a room. */
export class RoomListener {
  readonly #events: ListenerEvents;
  readonly #socket: WebSocket;
  readonly #takes_video: boolean;
  /** The address of the media server. */
  readonly host: string;
  readonly #people = new Map<string, ParticipantInfo>();
  readonly #subscribed = new Set<string>();
  #peer: ReceivingPeer | undefined;
  #own_sid = '';
  #chain: Promise<void> = Promise.resolve();
  #heard_at_ms = performance.now();
  #clock: NodeJS.Timeout | undefined;
  #ended = false;

  /**
   * Joins.
   * @returns a listener that has joined
   * @param url of the media server, `http:` or `https:`
   * @param takes_video whether cameras and screens are received too
   * @throws Error when the server refuses, or does not answer within 10 s
   */
  static async join(url: string, token: string, events: ListenerEvents, takes_video = false): Promise<RoomListener> {
    const address = new URL('/rtc', url.replace(/^http/, 'ws'));
    for (const [name, value] of Object.entries({ access_token: token, auto_subscribe: '0', protocol: '15', sdk: 'js' }))
      address.searchParams.set(name, value);
    const socket = new WebSocket(address, { handshakeTimeout: JOIN_TIMEOUT_MS, perMessageDeflate: false });
    const listener = new RoomListener(socket, address.hostname, events, takes_video);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => socket.terminate(), JOIN_TIMEOUT_MS);
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('the media server closed the socket')));
      socket.once('message', () => {
        clearTimeout(timer);
        resolve();
      });
      socket.once('close', () => clearTimeout(timer));
    });
    return listener;
  }

  private constructor(socket: WebSocket, host: string, events: ListenerEvents, takes_video: boolean) {
    this.#takes_video = takes_video;
    this.#socket = socket;
    this.host = host;
    this.#events = events;
    socket.on('error', () => undefined);
    socket.on('close', () => this.#end(true));
    socket.on('message', (data: Buffer) => {
      this.#heard_at_ms = performance.now();
      this.#chain = this.#chain.then(() => this.#receive(SignalResponse.fromBinary(data))).catch(() => this.#end(true));
    });
    this.#clock = setInterval(() => this.#tick(), PING_MS);
  }

  #tick(): void {
    if (performance.now() - this.#heard_at_ms > SILENCE_MS) return this.#end(true);
    this.request({ case: 'pingReq', value: new Ping({ timestamp: BigInt(Date.now()) }) });
  }

  /** The participant sid of this session; empty before the join was answered. */
  get own_sid(): string {
    return this.#own_sid;
  }

  /** Sends a request to the media server; dropped while disconnected. */
  request(message: SignalRequest['message']): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(new SignalRequest({ message }).toBinary());
  }

  async #receive({ message }: SignalResponse): Promise<void> {
    if (this.#ended) return;
    switch (message.case) {
      case 'join':
        this.#own_sid = message.value.participant?.sid ?? '';
        return this.#update(message.value.otherParticipants);
      case 'update':
        return this.#update(message.value.participants);
      case 'offer':
        return this.#answer(message.value);
      case 'trickle':
        if (message.value.target === SignalTarget.SUBSCRIBER) this.#peer?.addCandidate(message.value.candidateInit);
        else this.#events.onOther?.(message);
        return;
      case 'speakersChanged':
        return message.value.speakers.forEach((speaker) => this.#noteSpeaker(speaker));
      case 'leave':
        return this.#end(message.value.action !== LeaveRequest_Action.DISCONNECT || message.value.canReconnect);
      default:
        return this.#events.onOther?.(message);
    }
  }

  async #answer(offer: SessionDescription): Promise<void> {
    const { host } = this;
    const { onPacket } = this.#events;
    this.#peer ??= await createReceivingPeer(host, this.#takes_video, onPacket, (refusal) => this.#end(true, refusal));
    // The session may have ended while the peer was created.
    if (this.#ended) return void (await this.#peer.close());
    const sdp = await this.#peer.acceptOffer(offer.sdp);
    this.request({ case: 'answer', value: new SessionDescription({ type: 'answer', sdp, id: offer.id }) });
  }

  #update(people: ParticipantInfo[]): void {
    for (const person of people) {
      if (person.sid === this.#own_sid) continue;
      if (person.state === ParticipantInfo_State.DISCONNECTED) this.#people.delete(person.sid);
      else this.#people.set(person.sid, person);
    }
    const withheld = [...this.#people.values()].filter(({ identity }) => this.#events.isWithheld?.(identity) === true);
    for (const person of withheld) this.#unsubscribe(person);
    const tracks = [...this.#people.values()].flatMap((person) =>
      (withheld.includes(person) ? [] : person.tracks)
        .filter(({ type }) => type === TrackType.AUDIO || (type === TrackType.VIDEO && this.#takes_video))
        .map((track) => ({ person, track })),
    );
    const audible = tracks.map(({ person, track }) => presentTrack(person, track));
    this.#events.onTracks(audible);
    audible.forEach(({ kind, codec, track_sid }, index) => {
      const { person, track } = tracks[index] ?? {};
      if (!person || !track || this.#subscribed.has(track_sid) || !isRecordable(kind, codec)) return;
      this.#subscribed.add(track_sid);
      this.#subscribe(person.sid, track);
    });
  }

  #subscribe(participantSid: string, track: TrackInfo): void {
    const trackSids = [track.sid];
    const participantTracks = [{ participantSid, trackSids }];
    const value = new UpdateSubscription({ trackSids, subscribe: true, participantTracks });
    this.request({ case: 'subscription', value });
    if (track.type !== TrackType.VIDEO) return;
    const settings = new UpdateTrackSettings({ trackSids, quality: chooseQuality(track) });
    this.request({ case: 'trackSetting', value: settings });
  }

  #unsubscribe({ sid, tracks }: ParticipantInfo): void {
    const trackSids = tracks.map((track) => track.sid).filter((track_sid) => this.#subscribed.delete(track_sid));
    if (trackSids.length === 0) return;
    const participantTracks = [{ participantSid: sid, trackSids }];
    const value = new UpdateSubscription({ trackSids, subscribe: false, participantTracks });
    this.request({ case: 'subscription', value });
  }

  /** Evaluates again who must be left out. */
  review(): void {
    this.#update([]);
  }

  /** Requests a key frame of a track; ignored while disconnected. */
  requestKeyFrame(track_sid: string): void {
    this.#peer?.requestKeyFrame(track_sid);
  }

  /** Requests retransmission of packets of a track, by sequence number. */
  requestPackets(track_sid: string, sequences: number[]): void {
    this.#peer?.requestPackets(track_sid, sequences);
  }

  #noteSpeaker({ sid, active }: SpeakerInfo): void {
    const person = this.#people.get(sid);
    if (person) this.#events.onSpeaking(person.identity, active);
  }

  #end(may_return: boolean, refusal?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#clock);
    this.#socket.close();
    this.#peer?.close().catch(() => undefined);
    this.#events.onEnd(may_return, refusal);
  }

  /** Leaves the room. `onEnd` is called as permanent. */
  leave(): void {
    this.request({ case: 'leave', value: new LeaveRequest({ action: LeaveRequest_Action.DISCONNECT }) });
    this.#end(false);
  }
}

function presentTrack(person: ParticipantInfo, { sid, type, source, muted, mimeType }: TrackInfo): SubscribedTrack {
  return {
    track_sid: sid,
    identity: person.identity,
    name: person.name,
    kind: type === TrackType.VIDEO ? 'video' : 'audio',
    codec: mimeType,
    source: SOURCES[source] ?? 'unknown',
    muted,
  };
}
