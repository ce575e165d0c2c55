import type { MediaStats } from '../rooms/registry.ts';
import type { Grants } from '../token.ts';
import type { TwirpCall, TwirpReply } from './room-service.ts';
import type { SignalSocket } from './signal-socket.ts';

/** Where rooms are: in this thread, or spread over several (`hosts/`). */
export type RoomHost = {
  /** Serves a signal socket whose grants were verified. */
  serve(socket: SignalSocket, query: URLSearchParams, grants: Grants): Promise<void>;
  /** Runs a call of the room service. @throws TwirpError */
  call(call: TwirpCall): Promise<TwirpReply>;
  hasRoom(name: string): boolean;
  /** With several threads, up to half a second old. */
  stats(): MediaStats;
  /** Disconnects everybody. */
  close(): Promise<void>;
};
