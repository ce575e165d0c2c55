/** PocketBase, if it is installed (`POCKETBASE`, or on the PATH): the signed-in account, and a record that it owns. */
import { execFile, spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ask, freePort, listens, type Ask } from '../measure.ts';
import { waitUntilReady, stop, type Child } from '../subjects.ts';

/** A running server of records. */
export type RecordServer = {
  server: Child;
  /** Reads the account that asks. */
  readAccount(): Ask;
  /** Creates a record of the account that asks. */
  createContact(): Ask;
  close(): Promise<void>;
};

type Account = { id: string; token: string };

const password = 'a warm copper lantern';

function findProgram(): string | undefined {
  const paths = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'pocketbase'));
  return [process.env['POCKETBASE'] ?? '', ...paths].find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** @param count how many accounts ask in turn */
export async function startPocketBase(count: number): Promise<RecordServer | undefined> {
  const program = findProgram();
  if (!program) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'asterism-pocketbase-'));
  const operator = 'operator@example.org';
  // Beside its data by default, where the next run would find them.
  const places = ['--dir', join(folder, 'data'), '--migrationsDir', join(folder, 'migrations')];
  await promisify(execFile)(program, ['superuser', 'upsert', operator, password, ...places]);
  const port = await freePort();
  const started_ms = performance.now();
  const child = spawn(program, ['serve', '--http', `127.0.0.1:${port}`, ...places], { stdio: 'ignore' });
  const server = await waitUntilReady(child, port, started_ms, () => listens(port));
  const close = async () => {
    await stop(server);
    rmSync(folder, { recursive: true, force: true });
  };
  const accounts = await createAccounts(port, operator, count).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  let turn = 0;
  const next = () => accounts[(turn += 1) % accounts.length] as Account;
  return {
    server,
    readAccount() {
      const { id, token } = next();
      return { method: 'GET', path: `/api/collections/users/records/${id}`, token };
    },
    createContact() {
      const { id, token } = next();
      const body = JSON.stringify({ name: `Contact ${turn}`, owner: id });
      return { method: 'POST', path: '/api/collections/contacts/records', token, body };
    },
    close,
  };
}

/** Creates a collection of contacts that belong to accounts, and the accounts. */
async function createAccounts(port: number, operator: string, count: number): Promise<Account[]> {
  const agent = new Agent({ keepAlive: true });
  const send = async (method: string, path: string, token: string, body?: object) => {
    const text = body && JSON.stringify(body);
    const [status, answer] = await ask(port, agent, {
      method,
      path: `/api/collections${path}`,
      token,
      ...(text && { body: text }),
    });
    if (status >= 300) throw new Error(`PocketBase: ${method} ${path} had status ${status}: ${answer.slice(0, 300)}`);
    return JSON.parse(answer) as { id: string; token: string; record: { id: string } };
  };
  const signIn = (collection: string, identity: string) =>
    send('POST', `/${collection}/auth-with-password`, '', { identity, password });
  try {
    const { token } = await signIn('_superusers', operator);
    const users = await send('GET', '/users', token);
    await send('POST', '', token, {
      name: 'contacts',
      type: 'base',
      fields: [
        { name: 'name', type: 'text', max: 100 },
        { name: 'owner', type: 'relation', collectionId: users.id, maxSelect: 1, cascadeDelete: true },
      ],
      indexes: ['CREATE INDEX contacts_by_owner ON contacts (owner, name)'],
      createRule: '@request.auth.id = owner',
      viewRule: '@request.auth.id = owner',
    });
    const accounts: Account[] = [];
    for (let at = 0; at < count; at++) {
      const email = `person${at}@example.org`;
      await send('POST', '/users/records', token, { email, password, passwordConfirm: password, verified: true });
      const { token: own_token, record } = await signIn('users', email);
      accounts.push({ id: record.id, token: own_token });
    }
    return accounts;
  } finally {
    agent.destroy();
  }
}
