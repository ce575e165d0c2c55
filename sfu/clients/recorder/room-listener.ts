/** A client of LiveKit's protocol that nobody sees and that hears and sees everybody: one stay in a room. */
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

export type HeardTrack = {
  track_sid: string;
  identity: string;
  name: string;
  kind: 'audio' | 'video';
  /** As `video/VP8`; empty where the server does not tell. */
  codec: string;
  source: string;
  muted: boolean;
};

export type ListenerEvents = {
  /** The tracks in the room, those of pictures where they are taken, each time that anything about them changed. */
  onTracks(tracks: HeardTrack[]): void;
  onPacket(packet: TrackPacket): void;
  /** Who began to speak and who ended. */
  onSpeaking(identity: string, active: boolean): void;
  /** Whether nothing of somebody may be taken; asked each time that anything about the room changed. */
  isWithheld?(identity: string): boolean;
  /** The stay is over: for good when the server sent it away, else it may come back. Told once. */
  onEnd(may_return: boolean): void;
  /** What concerns somebody who publishes too. */
  onOther?(message: SignalResponse['message']): void;
};

const SOURCES = ['unknown', 'camera', 'microphone', 'screen_share', 'screen_share_audio'];
/** The largest picture that is taken where a track comes in several sizes, in pixels. */
const MOST_WIDTH = 1_280;
const MOST_HEIGHT = 720;
const PING_MS = 4_000;
const SILENCE_MS = 15_000;
const JOIN_TIMEOUT_MS = 10_000;

/** Whether tracks of a codec are taken: all sound is Opus, and of pictures VP8 is. */
export const takesCodec = (kind: HeardTrack['kind'], codec: string): boolean =>
  kind === 'audio' || codec === '' || codec.toLowerCase() === 'video/vp8';

/** The best layer that is not above the bound, or the least where all are. */
function chooseQuality({ layers }: TrackInfo): VideoQuality {
  const sorted = layers.toSorted((a, b) => b.height * b.width - a.height * a.width);
  const fitting = sorted.find(
    ({ width, height }) => Math.max(width, height) <= MOST_WIDTH && Math.min(width, height) <= MOST_HEIGHT,
  );
  return (fitting ?? sorted.at(-1))?.quality ?? VideoQuality.HIGH;
}

/** One connection to a room. */
export class RoomListener {
  readonly #events: ListenerEvents;
  readonly #socket: WebSocket;
  readonly #takes_pictures: boolean;
  /** Where the media server is. */
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
   * Joins. @returns a listener whose join was answered
   * @param url of the media server, `http:` or `https:`
   * @param takes_pictures whether cameras and screens are taken too
   * @throws Error when the server refuses, or does not answer within 10 s
   */
  static async join(url: string, token: string, events: ListenerEvents, takes_pictures = false): Promise<RoomListener> {
    const address = new URL('/rtc', url.replace(/^http/, 'ws'));
    for (const [name, value] of Object.entries({ access_token: token, auto_subscribe: '0', protocol: '15', sdk: 'js' }))
      address.searchParams.set(name, value);
    const socket = new WebSocket(address, { handshakeTimeout: JOIN_TIMEOUT_MS, perMessageDeflate: false });
    const listener = new RoomListener(socket, address.hostname, events, takes_pictures);
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

  private constructor(socket: WebSocket, host: string, events: ListenerEvents, takes_pictures: boolean) {
    this.#takes_pictures = takes_pictures;
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

  /** The number of this stay in the room; empty before the join was answered. */
  get own_sid(): string {
    return this.#own_sid;
  }

  /** Asks the media server for something; unheard when the line is down. */
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
    this.#peer ??= await createReceivingPeer(host, this.#takes_pictures, onPacket, () => this.#end(true));
    // The stay may have ended while the peer was made.
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
        .filter(({ type }) => type === TrackType.AUDIO || (type === TrackType.VIDEO && this.#takes_pictures))
        .map((track) => ({ person, track })),
    );
    const heard = tracks.map(({ person, track }) => presentTrack(person, track));
    this.#events.onTracks(heard);
    heard.forEach(({ kind, codec, track_sid }, index) => {
      const { person, track } = tracks[index] ?? {};
      if (!person || !track || this.#subscribed.has(track_sid) || !takesCodec(kind, codec)) return;
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

  /** Looks again at whom nothing may be taken of. */
  review(): void {
    this.#update([]);
  }

  /** Asks for a picture of a track that needs none before it; unheard while nothing is connected. */
  requestKeyFrame(track_sid: string): void {
    this.#peer?.requestKeyFrame(track_sid);
  }

  /** Asks for packets of a track again, by their sequence numbers. */
  requestPackets(track_sid: string, sequences: number[]): void {
    this.#peer?.requestPackets(track_sid, sequences);
  }

  #noteSpeaker({ sid, active }: SpeakerInfo): void {
    const person = this.#people.get(sid);
    if (person) this.#events.onSpeaking(person.identity, active);
  }

  #end(may_return: boolean): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#clock);
    this.#socket.close();
    this.#peer?.close().catch(() => undefined);
    this.#events.onEnd(may_return);
  }

  /** Leaves the room. `onEnd` is told that it is for good. */
  leave(): void {
    this.request({ case: 'leave', value: new LeaveRequest({ action: LeaveRequest_Action.DISCONNECT }) });
    this.#end(false);
  }
}

function presentTrack(person: ParticipantInfo, { sid, type, source, muted, mimeType }: TrackInfo): HeardTrack {
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
