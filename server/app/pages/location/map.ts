/** The built-in map: a style and tiles that need no third party, opened by the token of `GET /location/config`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isMapToken } from '../../../domain/location/map-config.ts';
import { ApiError } from '../../../kernel/errors.ts';
import type { Limits } from '../../../kernel/load/limits.ts';
import { createDecoder } from '../../../kernel/media/decoder.ts';
import type { Services } from '../../../kernel/services.ts';
import { max_zoom, type TileTask } from './map-tiles.task.ts';

const task = new URL('map-tiles.task.ts', import.meta.url);

/** The tile cache of a node: enough for the first six levels, most of which are open sea. */
const max_tiles_kept = 6000;

type TokenQuery = { Querystring: { token?: string } };

/** Adds `/map/style.json` and `/map/tiles/{z}/{x}/{y}.mvt`. */
export function addMap(http: FastifyInstance, services: Services): void {
  const admit = async (request: FastifyRequest<TokenQuery>): Promise<string> => {
    await services.throttle.consume('map', request.ip);
    const { token } = request.query;
    if (typeof token !== 'string' || !isMapToken(services, token, services.clock.now()))
      throw new ApiError('forbidden');
    return token;
  };
  const tiles = cacheTiles(services.limits);
  http.addHook('onClose', async () => tiles.close());
  http.get<TokenQuery>('/map/style.json', async (request, reply) => {
    const token = await admit(request);
    return cacheFor(reply, 300).send(styleFor(services.public_url, token));
  });
  http.get<TokenQuery & { Params: { z: string; x: string; y: string } }>(
    '/map/tiles/:z/:x/:y.mvt',
    async (request, reply) => {
      await admit(request);
      const tile = readTile(request.params);
      if (!tile) throw new ApiError('not_found');
      return cacheFor(reply, 86_400)
        .header('content-type', 'application/vnd.mapbox-vector-tile')
        .send(await tiles.cut(tile, request.ip));
    },
  );
}

/**
 * Tiles that are cut once, in a process of their own: it holds the countries in memory, which take half a second to prepare
 * and more memory than a process that decodes uploads may keep.
 */
export function cacheTiles(limits: Limits) {
  const cutter = createDecoder({
    ...limits,
    decoding_running: 1,
    decoding_waiting: limits.map_waiting,
    decoding_kept_mb: limits.map_kept_mb,
  });
  const kept = new Map<string, Promise<Buffer>>();
  return {
    /** @param address whose requests wait in one queue */
    cut(tile: TileTask, address: string): Promise<Buffer> {
      const key = `${tile.z}/${tile.x}/${tile.y}`;
      const known = kept.get(key);
      if (known) return known;
      const bytes = cutter.use(address, async (decode) => Buffer.from(await decode<Uint8Array>(task, tile)));
      if (kept.size >= max_tiles_kept) kept.delete(kept.keys().next().value ?? '');
      kept.set(key, bytes);
      bytes.catch(() => kept.delete(key));
      return bytes;
    },
    pids: cutter.pids,
    close: cutter.close,
  };
}

const cacheFor = (reply: FastifyReply, seconds: number): FastifyReply =>
  reply.header('cache-control', `private, max-age=${seconds}`).header('x-content-type-options', 'nosniff');

function readTile(typed: Record<keyof TileTask, string>): TileTask | undefined {
  const [z, x, y] = [typed.z, typed.x, typed.y].map((text) => (/^\d{1,3}$/.test(text) ? Number(text) : -1));
  if (z === undefined || x === undefined || y === undefined) return undefined;
  const size = 2 ** z;
  return z >= 0 && z <= max_zoom && x >= 0 && x < size && y >= 0 && y < size ? { z, x, y } : undefined;
}

/** A MapLibre style (its specification, version 8). Clients recolour its layers for dark mode, by their ids. */
function styleFor(public_url: string, token: string) {
  const tiles = `${public_url}/map/tiles/{z}/{x}/{y}.mvt?token=${encodeURIComponent(token)}`;
  return {
    version: 8,
    // With the theme all colours change at once, as those of the page do.
    transition: { duration: 0, delay: 0 },
    name: 'Asterism',
    sources: {
      world: { type: 'vector', tiles: [tiles], minzoom: 0, maxzoom: max_zoom, attribution: 'Natural Earth' },
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': '#dbe7f0' } },
      { id: 'land', type: 'fill', source: 'world', 'source-layer': 'land', paint: { 'fill-color': '#f7f4ee' } },
      {
        id: 'coast',
        type: 'line',
        source: 'world',
        'source-layer': 'land',
        paint: { 'line-color': '#b9c7d3', 'line-width': 0.8 },
      },
      {
        id: 'borders',
        type: 'line',
        source: 'world',
        'source-layer': 'borders',
        paint: { 'line-color': '#c8bfb2', 'line-width': 0.8, 'line-dasharray': [3, 2] },
      },
    ],
  };
}
