// npm start: sets up what is missing, and then replaces itself with the service on the pinned Node.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { insidePath, NODE_FLAGS, root, runMain, setUp } from './setup.mjs';

await runMain(async () => {
  const node = await setUp();
  const args = [...NODE_FLAGS, join(root, 'server', 'main.ts'), ...process.argv.slice(2)];
  const env = insidePath();
  // Replacing this process passes signals and the exit code through unchanged, and saves the memory of a second Node.
  if (process.execve) process.execve(node, [node, ...args], env);
  return runBeneath(node, args, env);
});

/** For an older Node, which cannot replace its process: runs the service as a child. */
function runBeneath(node, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { env, stdio: 'inherit' });
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
      process.on(signal, () => {
        // A terminal sends Ctrl-C to both.
        if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
      });
    }
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ? 128 + (signal === 'SIGINT' ? 2 : 15) : code));
  });
}
