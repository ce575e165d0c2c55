/** One temporary folder for a whole run, which is removed with everything that its tests left there. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const prefix = 'asterism-run-';

/** Makes `tmpdir()` return it in this process and its children, of other accounts too; the projects of a run share it. */
export default function setup(): (() => void) | undefined {
  if (basename(tmpdir()).startsWith(prefix)) return undefined;
  const before = process.env['TMPDIR'];
  const folder = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, { recursive: true, force: true });
  };
}
