/** A client of LiveKit's protocol that nobody sees and that hears everybody: one stay in a room. */
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
  type ParticipantInfo,
  type SpeakerInfo,
} from '@livekit/protocol';
import { WebSocket } from 'ws';
import { createReceivingPeer, type ReceivingPeer, type TrackPacket } from './receiving-peer.ts';

export type HeardTrack = { track_sid: string; identity: string; name: string; source: string; muted: boolean };

export type ListenerEvents = {
  /** The tracks of sound in the room, each time that anything about them changed. */
  onTracks(tracks: HeardTrack[]): void;
  onPacket(packet: TrackPacket): void;
  /** Who began to speak and who ended. */
  onSpeaking(identity: string, active: boolean): void;
  /** The stay is over: for good when the server sent it away, else it may come back. Told once. */
  onEnd(may_return: boolean): void;
  /** What concerns somebody who publishes too. */
  onOther?(message: SignalResponse['message']): void;
};

const SOURCES = ['unknown', 'camera', 'microphone', 'screen_share', 'screen_share_audio'];
const PING_MS = 4_000;
const SILENCE_MS = 15_000;
const JOIN_TIMEOUT_MS = 10_000;

/** One connection to a room. */
export class RoomListener {
  readonly #events: ListenerEvents;
  readonly #socket: WebSocket;
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
   * @throws Error when the server refuses, or does not answer within 10 s
   */
  static async join(url: string, token: string, events: ListenerEvents): Promise<RoomListener> {
    const address = new URL('/rtc', url.replace(/^http/, 'ws'));
    for (const [name, value] of Object.entries({ access_token: token, auto_subscribe: '0', protocol: '15', sdk: 'js' }))
      address.searchParams.set(name, value);
    const socket = new WebSocket(address, { handshakeTimeout: JOIN_TIMEOUT_MS, perMessageDeflate: false });
    const listener = new RoomListener(socket, address.hostname, events);
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

  private constructor(socket: WebSocket, host: string, events: ListenerEvents) {
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
    this.#peer ??= await createReceivingPeer(this.host, this.#events.onPacket, () => this.#end(true));
    const sdp = await this.#peer.acceptOffer(offer.sdp);
    this.request({ case: 'answer', value: new SessionDescription({ type: 'answer', sdp, id: offer.id }) });
  }

  #update(people: ParticipantInfo[]): void {
    for (const person of people) {
      if (person.sid === this.#own_sid) continue;
      if (person.state === ParticipantInfo_State.DISCONNECTED) this.#people.delete(person.sid);
      else this.#people.set(person.sid, person);
    }
    const tracks = [...this.#people.values()].flatMap((person) =>
      person.tracks
        .filter(({ type }) => type === TrackType.AUDIO)
        .map(({ sid, source, muted }): [string, HeardTrack] => [
          person.sid,
          {
            track_sid: sid,
            identity: person.identity,
            name: person.name,
            source: SOURCES[source] ?? 'unknown',
            muted,
          },
        ]),
    );
    this.#events.onTracks(tracks.map(([, track]) => track));
    for (const [participantSid, { track_sid }] of tracks) {
      if (this.#subscribed.has(track_sid)) continue;
      this.#subscribed.add(track_sid);
      const trackSids = [track_sid];
      const value = new UpdateSubscription({
        trackSids,
        subscribe: true,
        participantTracks: [{ participantSid, trackSids }],
      });
      this.request({ case: 'subscription', value });
    }
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
    void this.#peer?.close();
    this.#events.onEnd(may_return);
  }

  /** Leaves the room. `onEnd` is told that it is for good. */
  leave(): void {
    this.request({ case: 'leave', value: new LeaveRequest({ action: LeaveRequest_Action.DISCONNECT }) });
    this.#end(false);
  }
}
