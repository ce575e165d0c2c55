/**
 * Tiles of the map, cut from Natural Earth's countries (public domain, as packaged in `world-atlas`). It runs in a decoder
 * process, since cutting the first tile of a level of detail takes some 100 ms.
 */
import { readFileSync } from 'node:fs';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { GeoJSONVT } from '@maplibre/geojson-vt';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** The deepest tiles; a client enlarges them for what is nearer. */
export const max_zoom = 7;

export type TileTask = { z: number; x: number; y: number };

/** Up to which zoom each level of detail is fine enough. */
const details = [
  { up_to: 2, name: '110m' },
  { up_to: 5, name: '50m' },
  { up_to: max_zoom, name: '10m' },
] as const;

type Cutter = { land: GeoJSONVT; borders: GeoJSONVT };
type Countries = Topology<{ countries: GeometryCollection; land: GeometryCollection }>;

const cutters = new Map<string, Cutter>();

function cutterFor(z: number): Cutter {
  const { name } = details.find(({ up_to }) => z <= up_to) ?? details[0];
  const known = cutters.get(name);
  if (known) return known;
  const path = new URL(import.meta.resolve(`world-atlas/countries-${name}.json`));
  const world = JSON.parse(readFileSync(path, 'utf8')) as Countries;
  const options = { maxZoom: max_zoom, indexMaxZoom: 0, tolerance: 3, buffer: 64 };
  const cutter = {
    land: new GeoJSONVT(feature(world, world.objects.land), options),
    // Lines that two countries share; coasts are the edge of the land.
    borders: new GeoJSONVT(
      {
        type: 'Feature',
        properties: {},
        geometry: mesh(world, world.objects.countries, (one, other) => one !== other),
      },
      options,
    ),
  };
  cutters.set(name, cutter);
  return cutter;
}

/** One tile in the Mapbox Vector Tile format (version 2), with the layers `land` and `borders`; empty for open sea. */
export function run({ z, x, y }: TileTask): Uint8Array {
  const { land, borders } = cutterFor(z);
  const layers = Object.fromEntries(
    Object.entries({ land: land.getTile(z, x, y), borders: borders.getTile(z, x, y) }).filter(
      ([, tile]) => tile !== null,
    ),
  );
  return fromGeojsonVt(layers as Parameters<typeof fromGeojsonVt>[0], { version: 2 });
}
