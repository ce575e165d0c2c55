/** A service that is killed while its decoder process is busy; it prints the id of that process first. */
import { createDecoder } from '../../kernel/media/decoder.ts';
import { default_limits } from '../../kernel/load/limits.ts';

const task = new URL('decoder-abuse.task.ts', import.meta.url);
const decoder = createDecoder(default_limits);
await decoder.use('somebody', async (decode) => {
  console.log(await decode<number>(task, { abuse: 'pid' }));
  void decode(task, { abuse: 'endless' });
  // The request has been sent after another turn of the event loop.
  setImmediate(() => setImmediate(() => process.kill(process.pid, 'SIGKILL')));
});
