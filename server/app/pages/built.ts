/** What the build of the web client made for pages outside of it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const dist_dir = join(import.meta.dirname, '..', '..', '..', 'web', 'dist');

/** A built script with its style. */
export interface Built {
  /** The elements that load both, for the head of a page. */
  readonly links: string;
}

interface Part {
  /** Its folder in the build, and its source. */
  readonly folder: string;
  readonly entry: string;
  /** The path of its files. */
  readonly prefix: string;
}

/** Serves such a part; undefined where the web client was not built. */
export function addBuilt(http: FastifyInstance, { folder, entry, prefix }: Part): Built | undefined {
  const root = join(dist_dir, folder);
  if (!existsSync(join(root, 'manifest.json'))) return undefined;
  const manifest = JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8')) as Record<
    string,
    { file: string; css?: string[] }
  >;
  const built = manifest[entry];
  if (!built) return undefined;
  void http.register(fastifyStatic, {
    root,
    prefix,
    immutable: true,
    maxAge: '365d',
    index: false,
    preCompressed: true,
    decorateReply: false,
  });
  const styles = (built.css ?? []).map((file) => `<link rel="stylesheet" href="${prefix}${file}">`).join('');
  return { links: `${styles}<script type="module" src="${prefix}${built.file}"></script>` };
}
