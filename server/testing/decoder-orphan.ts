/** A service that dies while a decoder process of its is busy: tells that process's number first. */
import { createDecoder } from '../kernel/media/decoder.ts';
import { default_limits } from '../kernel/load/limits.ts';

const task = new URL('decoder-abuse.task.ts', import.meta.url);
const decoder = createDecoder(default_limits);
await decoder.use('somebody', async (decode) => {
  console.log(await decode<number>(task, { abuse: 'pid' }));
  void decode(task, { abuse: 'endless' });
  // The request has left once another turn has passed.
  setImmediate(() => setImmediate(() => process.kill(process.pid, 'SIGKILL')));
});
