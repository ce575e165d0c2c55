/** A separate disk of a few megabytes that a test can fill, for a service whose data are on it. Only root may mount one. */
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why none can be mounted; undefined when one can. */
export const missing_small_disk = process.getuid?.() === 0 ? undefined : 'root';

export type SmallDisk = {
  folder: string;
  /** Uses all remaining space. */
  fill(): void;
  /** Frees what `fill` has used. */
  free(): void;
  unmount(): void;
};

/** Mounts a new disk in the memory of the machine. @param bytes its size */
export function mountSmallDisk(bytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'asterism-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
  // PostgreSQL's account must reach the data folder.
  chmodSync(folder, 0o755);
  const path = join(folder, 'ballast');
  return {
    folder,
    fill() {
      const ballast = openSync(path, 'a');
      try {
        const chunk = Buffer.alloc(1024 * 1024);
        for (;;) writeSync(ballast, chunk);
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(ballast);
      }
    },
    free: () => rmSync(path, { force: true }),
    unmount() {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}
