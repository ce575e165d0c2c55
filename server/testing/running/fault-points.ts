/**
 * Fault points: loaded before the service by `node --import` in a test's child process, so that the product contains no
 * test code. The test arms one over the process's channel, and the process kills itself with SIGKILL exactly there.
 */
import { Socket } from 'node:net';
import pg from 'pg';

/** Where the process is killed. */
export type FaultPoint =
  /** All statements of the transaction have run, and the commit is not yet sent. */
  | 'before-commit'
  /** The database has confirmed the commit, and nothing has followed from it. */
  | 'after-commit'
  /** The reader has the event, and no byte of it has been written to a websocket. */
  | 'before-frame'
  /** The frame was passed to the network, and what follows in the same round was not. */
  | 'after-frame'
  /** The provider has accepted the message, and its job is not yet marked as done. */
  | 'before-job-done';

/** What the test sends. `containing` selects the statement or frame by a text in it. */
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

type Statement = { text?: string; values?: unknown[] };
/** What the service sends on a connection: a batch of statements, or a single query of another part of it. */
type Sent = string | (Statement & { statements?: Statement[] });

const statementsOf = (sent: Sent): Statement[] =>
  typeof sent === 'string' ? [{ text: sent }] : (sent.statements ?? [sent]);

/** Connections whose open transaction contains the armed text. */
const marked = new WeakSet<object>();
const originalQuery = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;

pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]): unknown {
  const statements = statementsOf(args[0] as Sent);
  const isJobDone = ({ text = '' }: Statement) => text.includes('delete from') && text.includes('_private_jobs');
  if (armed?.point === 'before-job-done' && statements.some(isJobDone)) die();
  if (armed && statements.some(({ values }) => values?.some((value) => contains(value, armed?.containing ?? ''))))
    marked.add(this);
  const commits = statements.at(-1)?.text === 'commit' && marked.has(this);
  // The service passes a callback, which is never called.
  if (commits && armed?.point === 'after-commit') return originalQuery.call(this, args[0], args[1], die);
  if (!commits || armed?.point !== 'before-commit') return originalQuery.apply(this, args);
  // All earlier statements, and those in the batch of the commit, have run once this query returns; the commit is never
  // sent.
  statements.pop();
  if (statements.length > 0) originalQuery.call(this, args[0], args[1], () => undefined);
  void (originalQuery.call(this, 'select 1') as Promise<unknown>).then(die, die);
  return undefined;
} as typeof pg.Client.prototype.query;

function contains(value: unknown, containing: string): boolean {
  return typeof value === 'string' && value.includes(containing);
}

const originalWrite = Socket.prototype.write as (this: Socket, ...args: unknown[]) => boolean;

Socket.prototype.write = function write(this: Socket, ...args: unknown[]): boolean {
  const [bytes] = args;
  // A final text frame begins with 0x81 (RFC 6455, section 5.2).
  const is_frame = Buffer.isBuffer(bytes) && bytes[0] === 0x81 && armed && bytes.includes(armed.containing);
  if (is_frame && armed?.point === 'before-frame') die();
  const answer = originalWrite.apply(this, args);
  if (is_frame && armed?.point === 'after-frame') {
    // Frames of one turn are collected before they are passed on.
    this.uncork();
    die();
  }
  return answer;
} as typeof Socket.prototype.write;

const originalFetch = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const address = input instanceof Request ? input.url : String(input);
  if (redirect && address.startsWith(redirect.from))
    return originalFetch(redirect.to + address.slice(redirect.from.length), init);
  return originalFetch(input, init);
};
