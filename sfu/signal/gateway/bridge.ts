/** Relays one client's signal socket to a LiveKit server, whose own tokens the client never sees. */
import { LeaveRequest, LeaveRequest_Action, SignalRequest, SignalResponse } from '@livekit/protocol';
import { WebSocket, type RawData } from 'ws';
import { LIMITS } from '../../limits.ts';
import { SignalBudget } from '../connection-limits.ts';

/** What the gateway decides for a client that it has connected to LiveKit. */
export type BridgeOptions = {
  /** A token of the gateway, replacing those that LiveKit renews. */
  renew(): string;
  /** Whether the client may still be in the room; checked again after LiveKit has admitted it. */
  isAdmitted(): Promise<boolean>;
};

const encode = (message: SignalRequest['message']) => new SignalRequest({ message }).toBinary();

/** A close code that may be sent (RFC 6455, section 7.4.1): reserved ones below 3000 may not. */
const closeCode = (code: number): number => ([1000, 1001, 1008, 1011].includes(code) || code >= 3000 ? code : 1000);

/**
 * Decides about a client's message within its budgets: LiveKit has none, and forwards many of them to everybody. Simulated
 * scenarios are for tests of clients: one tells everybody that somebody speaks, and LiveKit keeps a timer for each.
 */
function checkSignal(frame: Buffer, budget: SignalBudget): 'pass' | 'drop' | 'disconnect' {
  const now_ms = performance.now();
  if (!budget.takeBytes(now_ms, frame.length)) return 'disconnect';
  try {
    const kind = SignalRequest.fromBinary(frame).message.case;
    if (!budget.takeMessage(now_ms, kind)) return 'disconnect';
    return kind === 'simulate' ? 'drop' : 'pass';
  } catch {
    return 'disconnect';
  }
}

/** Relays frames both ways until either end closes. Both sockets are open. */
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

  /**
   * A client that was removed while LiveKit admitted it is disconnected at once: LiveKit knows nothing of the removal.
   */
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
    // Both messages contain tokens of LiveKit, which would bypass this gateway.
    if (message.case === 'refreshToken' || message.case === 'roomMoved') return;
    pass(client, data);
    if (has_joined) return;
    has_joined = true;
    void confirm();
  });
  const budget = new SignalBudget();
  client.on('message', (data: RawData, binary: boolean) => {
    // LiveKit answers text frames with JSON, in which tokens are not replaced here.
    if (!binary) return client.close(1003);
    const decision = checkSignal(data as Buffer, budget);
    if (decision === 'disconnect') client.terminate();
    else if (decision === 'pass') pass(server, data);
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
