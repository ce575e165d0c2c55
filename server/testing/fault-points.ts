/**
 * Fault points: loaded before the service by `node --import` in a test's child process, so that the product knows
 * nothing of them. The test arms one over the process's channel, and the process ends itself by SIGKILL exactly there.
 */
import { Socket } from 'node:net';
import pg from 'pg';

/** Where the process ends. */
export type FaultPoint =
  /** All statements of the transaction have run, and the commit is not yet sent. */
  | 'before-commit'
  /** The database has answered the commit, and nothing has followed from it. */
  | 'after-commit'
  /** The reader has the event, and no byte of it is on a websocket. */
  | 'before-frame'
  /** The frame is in the network's hands, and what stands behind it in the same round is not. */
  | 'after-frame'
  /** The provider has taken the message, and its job is not yet marked as done. */
  | 'before-job-done';

/** What the test sends. `containing` picks the statement or frame by a text in it. */
export type FaultOrder = { point: FaultPoint; containing: string } | { redirect: { from: string; to: string } };

let armed: { point: FaultPoint; containing: string } | undefined;
let redirect: { from: string; to: string } | undefined;

process.on('message', (order: FaultOrder) => {
  if ('redirect' in order) redirect = order.redirect;
  else armed = order;
  process.send?.('armed');
});
// The channel alone must not keep the process alive.
process.channel?.unref();

const die = () => process.kill(process.pid, 'SIGKILL');

type Statement = string | { text?: string; values?: unknown[] };
const textOf = (statement: Statement) => (typeof statement === 'string' ? statement : (statement.text ?? ''));

/** Connections whose open transaction holds the armed text. */
const marked = new WeakSet<object>();
const originalQuery = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;

pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]): unknown {
  const statement = args[0] as Statement;
  const text = textOf(statement);
  if (armed?.point === 'before-job-done' && text.includes('delete from') && text.includes('_private_jobs')) die();
  if (
    armed &&
    typeof statement === 'object' &&
    statement.values?.some((value) => holds(value, armed?.containing ?? ''))
  )
    marked.add(this);
  if (text !== 'commit' || !marked.has(this)) return originalQuery.apply(this, args);
  if (armed?.point === 'before-commit') {
    // Whatever was sent before has run once this is answered; the commit itself never comes.
    void (originalQuery.call(this, 'select 1') as Promise<unknown>).then(die, die);
    return undefined;
  }
  if (armed?.point !== 'after-commit') return originalQuery.apply(this, args);
  // The service hands a callback over, which is never called.
  return originalQuery.call(this, args[0], args[1], die);
} as typeof pg.Client.prototype.query;

function holds(value: unknown, containing: string): boolean {
  return typeof value === 'string' && value.includes(containing);
}

const originalWrite = Socket.prototype.write as (this: Socket, ...args: unknown[]) => boolean;

Socket.prototype.write = function write(this: Socket, ...args: unknown[]): boolean {
  const [bytes] = args;
  // A final text frame begins with 0x81 (RFC 6455, section 5.2).
  const is_frame = Buffer.isBuffer(bytes) && bytes[0] === 0x81 && armed && bytes.includes(armed.containing);
  if (is_frame && armed?.point === 'before-frame') die();
  const answer = originalWrite.apply(this, args);
  if (is_frame && armed?.point === 'after-frame') die();
  return answer;
} as typeof Socket.prototype.write;

const originalFetch = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const address = input instanceof Request ? input.url : String(input);
  if (redirect && address.startsWith(redirect.from))
    return originalFetch(redirect.to + address.slice(redirect.from.length), init);
  return originalFetch(input, init);
};
