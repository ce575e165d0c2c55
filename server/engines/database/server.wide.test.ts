import { expect, it } from 'vitest';
import { testDatabase } from '../../testing/contracts/database.contract.ts';
import { connectDatabase } from './server.ts';
import { describeUnlessMissing } from '../../../testing/skip.ts';

const url = process.env.DATABASE_TEST_URL ?? '';

describeUnlessMissing(url ? undefined : 'DATABASE_TEST_URL', 'a real PostgreSQL server', () => {
  testDatabase(async () => ({ database: await connectDatabase(url), close: async () => undefined }));

  it('is used as it is, and keeps running after close', async () => {
    const database = await connectDatabase(url);
    expect(database).toMatchObject({ url, kind: 'server' });
    await database.close();
    await expect(connectDatabase(url)).resolves.toMatchObject({ kind: 'server' });
  });
});
