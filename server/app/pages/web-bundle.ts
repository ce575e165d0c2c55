/** Bundles of the web client's build that server-rendered pages load. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const dist_dir = join(import.meta.dirname, '..', '..', '..', 'web', 'dist');

/** A script with its style sheet. */
export interface Bundle {
  /** The elements that load both, for the head of a page. */
  readonly links: string;
}

interface BundleOptions {
  /** Its folder in the build, and its source. */
  readonly folder: string;
  readonly entry: string;
  /** The path of its files. */
  readonly prefix: string;
}

/** Serves a bundle; undefined where the web client was not built. */
export function addBundle(http: FastifyInstance, { folder, entry, prefix }: BundleOptions): Bundle | undefined {
  const root = join(dist_dir, folder);
  if (!existsSync(join(root, 'manifest.json'))) return undefined;
  const manifest = JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8')) as Record<
    string,
    { file: string; css?: string[] }
  >;
  const chunk = manifest[entry];
  if (!chunk) return undefined;
  void http.register(fastifyStatic, {
    root,
    prefix,
    immutable: true,
    maxAge: '365d',
    index: false,
    preCompressed: true,
    decorateReply: false,
  });
  const styles = (chunk.css ?? []).map((file) => `<link rel="stylesheet" href="${prefix}${file}">`).join('');
  return { links: `${styles}<script type="module" src="${prefix}${chunk.file}"></script>` };
}
