import { describe, expect, it } from 'vitest';
import { connectDatabase } from './database.server.ts';

const url = process.env.DATABASE_TEST_URL ?? '';

describe.skipIf(url === '')('a real PostgreSQL server (skipped without DATABASE_TEST_URL)', () => {
  it('is taken as it is, and left alone on close', async () => {
    const database = await connectDatabase(url);
    expect(database).toMatchObject({ url, kind: 'server' });
    await database.close();
    await expect(connectDatabase(url)).resolves.toMatchObject({ kind: 'server' });
  });
});
