/** Records rooms of any media server that speaks LiveKit's protocol, as a hidden participant. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { signToken } from '../../token.ts';
import { readIndex, repairRecording, type RecordingIndex } from './recording-index.ts';
import { Recording, type RecordingOptions } from './recording.ts';
import { RoomListener } from './room-listener.ts';
import type { IsFull } from './size-watch.ts';

/** The media server to record, and where to. */
export type RecorderOptions = {
  /** The media server, `http:` or `https:`. */
  url: string;
  api_key: string;
  api_secret: string;
  /** Whether the media server has a room, by its API. */
  hasRoom: (room: string) => Promise<boolean>;
  /** The folder of all recordings, one subfolder each; used by one recorder only. */
  folder: string;
  /** How long to wait for a lost room, in ms; 60,000 by default. */
  return_within_ms?: number;
  log?: (level: 'info' | 'warn' | 'error', message: string, details: Record<string, unknown>) => void;
};

type Begin = Pick<RecordingOptions, 'room' | 'recording_id' | 'folder' | 'withheld' | 'isFull'>;

const TOKEN_TTL_S = 60;
const LOOK_MS = 500;
const RECORDING_ID = /^[a-zA-Z0-9_-]{1,100}$/;

/** The identity of a recording in its room. Removing this participant ends the recording, wherever it runs. */
export const identityOf = (recording_id: string): string => `recorder-${recording_id}`;

/** Manages the recordings of one process. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #running = new Map<string, Promise<Recording>>();

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  #folderOf(recording_id: string): string {
    if (!RECORDING_ID.test(recording_id)) throw new Error('a recording id holds letters, digits, _ and - only');
    return join(this.#options.folder, recording_id);
  }

  /**
   * Starts a recording of an existing room. A repeated call returns the running one.
   * @param withheld the identities to leave out at this moment: polled each second, and for each new participant;
   *   nobody by default
   * @param isFull whether it must end, by its size: asked every five seconds; never by default
   * @throws Error when the room does not exist or cannot be joined
   */
  async start(
    room: string,
    recording_id: string,
    withheld: () => Promise<string[]> = () => Promise.resolve([]),
    isFull: IsFull = () => Promise.resolve(false),
  ): Promise<Recording> {
    const folder = this.#folderOf(recording_id);
    const running = this.#running.get(recording_id) ?? this.#start({ room, recording_id, folder, withheld, isFull });
    this.#running.set(recording_id, running);
    try {
      return await running;
    } catch (error) {
      this.#running.delete(recording_id);
      throw error;
    }
  }

  async #start({ room, recording_id, folder, withheld, isFull }: Begin): Promise<Recording> {
    // Joining would create the room.
    if (!(await this.#options.hasRoom(room))) throw new Error('there is no such room to record');
    const recording = await Recording.start({
      folder,
      recording_id,
      room,
      withheld,
      isFull,
      listen: (events) => RoomListener.join(this.#options.url, this.#createToken(room, recording_id), events, true),
      awaitRoom: (signal) => this.#awaitRoom(room, signal),
      onError: (error) => this.#options.log?.('warn', 'recording', { recording_id, error: String(error) }),
    });
    void recording.ended.then(() => this.#running.delete(recording_id));
    return recording;
  }

  #createToken(room: string, recording_id: string): string {
    const { api_key, api_secret } = this.#options;
    const now_s = Math.floor(Date.now() / 1000);
    const video = { roomJoin: true, room, canPublish: false, canPublishData: false, hidden: true, recorder: true };
    // A participant of kind `egress` does not keep a room alive.
    const claims = { iss: api_key, sub: identityOf(recording_id), nbf: now_s - 5, exp: now_s + TOKEN_TTL_S };
    return signToken({ ...claims, kind: 'egress', video }, api_secret);
  }

  /**
   * After a restart of the media server its clients recreate the room; a recorder joining before them would start its
   * empty timeout.
   */
  async #awaitRoom(room: string, signal: AbortSignal): Promise<boolean> {
    const until_ms = performance.now() + (this.#options.return_within_ms ?? 60_000);
    while (performance.now() < until_ms && !signal.aborted) {
      await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
      if (await this.#options.hasRoom(room).catch(() => false)) return true;
    }
    return false;
  }

  /**
   * Finished recordings in the folder: those whose process was killed, which are repaired, and those that have not been
   * collected yet.
   */
  async recover(): Promise<RecordingIndex[]> {
    const names = await readdir(this.#options.folder).catch(() => []);
    const found: RecordingIndex[] = [];
    for (const recording_id of names.filter((name) => RECORDING_ID.test(name))) {
      if (this.#running.has(recording_id)) continue;
      const index = await repairRecording(this.#folderOf(recording_id));
      if (index) found.push(index);
    }
    return found;
  }

  /** The index of a recording, running or not. */
  find(recording_id: string): Promise<RecordingIndex | undefined> {
    return readIndex(this.#folderOf(recording_id));
  }

  /** The path of a track's file. */
  pathOf(recording_id: string, file: string): string {
    return join(this.#folderOf(recording_id), file);
  }

  /** Deletes the files of a recording. */
  async discard(recording_id: string): Promise<void> {
    await rm(this.#folderOf(recording_id), { recursive: true, force: true });
  }

  /** Stops all running recordings; their files stay. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(async (running) => (await running).stop()));
  }
}
