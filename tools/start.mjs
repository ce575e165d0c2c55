// npm start: sets up what is missing, then becomes the service on the pinned Node.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { insidePath, root, runMain, setUp } from './setup.mjs';

await runMain(async () => {
  const node = await setUp();
  const args = [join(root, 'server', 'main.ts'), ...process.argv.slice(2)];
  const env = insidePath();
  // Replacing this process passes signals and exit code through as they are, and spares a second Node's memory.
  if (process.execve) process.execve(node, [node, ...args], env);
  return runBeneath(node, args, env);
});

/** The way of an older Node, which cannot replace itself. */
function runBeneath(node, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { env, stdio: 'inherit' });
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
      process.on(signal, () => {
        // A terminal sends Ctrl-C to both by itself.
        if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
      });
    }
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ? 128 + (signal === 'SIGINT' ? 2 : 15) : code));
  });
}
