/** One signal socket of a client, carried on to a LiveKit server whose own tokens the client never sees. */
import { LeaveRequest, LeaveRequest_Action, SignalRequest, SignalResponse } from '@livekit/protocol';
import { WebSocket, type RawData } from 'ws';
import { LIMITS } from '../../limits.ts';

export type BridgeOptions = {
  /** A token of the gateway's own, in place of those that LiveKit renews. */
  renew(): string;
  /** Whether the client may still be in the room; asked once LiveKit has taken it in. */
  isAdmitted(): Promise<boolean>;
};

const encode = (message: SignalRequest['message']) => new SignalRequest({ message }).toBinary();

/** A code that may be sent on (RFC 6455, section 7.4.1): those below 3000 that say why a socket broke may not. */
const closeCode = (code: number): number => ([1000, 1001, 1008, 1011].includes(code) || code >= 3000 ? code : 1000);

/** Carries frames both ways until either end closes. Both sockets are open. */
export function bridge(client: WebSocket, server: WebSocket, { renew, isAdmitted }: BridgeOptions): void {
  const pass = (to: WebSocket, data: RawData | Uint8Array) => {
    if (to.readyState !== WebSocket.OPEN) return;
    to.send(data, { binary: true });
    if (to.bufferedAmount > LIMITS.gateway_buffered_bytes) to.terminate();
  };
  const sendToken = () =>
    pass(client, new SignalResponse({ message: { case: 'refreshToken', value: renew() } }).toBinary());
  const renewal = setInterval(sendToken, LIMITS.token_renewal_ms);
  let has_joined = false;

  /** Whoever was removed while LiveKit took them in leaves at once: it knows nothing of the removal. */
  async function confirm(): Promise<void> {
    sendToken();
    if (await isAdmitted()) return;
    pass(server, encode({ case: 'leave', value: new LeaveRequest({ action: LeaveRequest_Action.DISCONNECT }) }));
    server.close(1000);
    client.close(4003, 'not admitted');
  }

  server.on('message', (data: RawData, binary: boolean) => {
    if (!binary) return;
    const { message } = SignalResponse.fromBinary(data as Buffer);
    // Both carry tokens of LiveKit, which would open the room past this gateway.
    if (message.case === 'refreshToken' || message.case === 'roomMoved') return;
    pass(client, data);
    if (has_joined) return;
    has_joined = true;
    void confirm();
  });
  client.on('message', (data: RawData, binary: boolean) => {
    // LiveKit answers text with JSON, which is not looked through for tokens here.
    if (binary) pass(server, data);
    else client.close(1003);
  });
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    one.on('error', () => one.terminate());
    one.on('close', (code: number, reason: Buffer) => {
      clearInterval(renewal);
      other.close(closeCode(code), code === 1000 ? reason : undefined);
    });
  }
}
