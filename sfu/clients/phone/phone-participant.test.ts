import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { JoinResponse, LeaveRequest, SignalRequest, SignalResponse, TrackPublishedResponse } from '@livekit/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { PhoneParticipant } from './phone-participant.ts';
import { slow } from '../../../testing/slow-tests.ts';

describe('a phone participant whose media server ends the connection', () => {
  const opened: WebSocketServer[] = [];
  afterEach(() => {
    for (const server of opened.splice(0)) {
      for (const client of server.clients) client.terminate();
      server.close();
    }
  });

  /** Starts a media server that answers a join, and each request as the test defines. */
  async function serve(answer: (socket: WebSocket, request: string | undefined) => void): Promise<string> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    opened.push(server);
    server.on('connection', (socket) => {
      send(socket, { case: 'join', value: new JoinResponse() });
      socket.on('message', (data: Buffer) => answer(socket, SignalRequest.fromBinary(data).message.case));
    });
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const send = (socket: WebSocket, message: SignalResponse['message']) =>
    socket.send(new SignalResponse({ message }).toBinary());

  it('is notified of an end that arrives during its offer, without an unhandled rejection', slow, async () => {
    const url = await serve((socket, request) => {
      if (request !== 'addTrack') return;
      send(socket, { case: 'trackPublished', value: new TrackPublishedResponse() });
      send(socket, { case: 'leave', value: new LeaveRequest({ canReconnect: true }) });
    });
    const unhandled: unknown[] = [];
    const record = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', record);
    const may_return = await new Promise<boolean>((onEnd, reject) => {
      PhoneParticipant.join(url, 'token', { onFrame: () => undefined, onEnd }).catch(reject);
    });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', record);
    expect({ may_return, unhandled }).toEqual({ may_return: true, unhandled: [] });
  });
});
