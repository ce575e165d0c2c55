/**
 * Map tiles, cut from Natural Earth's countries (public domain, as packaged in `world-atlas`). Runs in a decoder
 * process, since cutting the first tile of a level of detail takes some 100 ms.
 */
import { readFileSync } from 'node:fs';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { GeoJSONVT } from '@maplibre/geojson-vt';
import type { Feature, FeatureCollection, Geometry, MultiLineString, MultiPolygon, Polygon, Position } from 'geojson';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** The maximum zoom of tiles; clients enlarge them beyond that. */
export const max_zoom = 7;

/** A tile by zoom, column and row, as in the addresses of slippy maps. */
export type TileTask = { z: number; x: number; y: number };

/** The maximum zoom for which each level of detail is fine enough. */
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
    land: new GeoJSONVT(unwrapPolygons(feature(world, world.objects.land)), options),
    // Lines that two countries share; coasts are the edge of the land.
    borders: new GeoJSONVT(
      unwrapLines(mesh(world, world.objects.countries, (first, second) => first !== second)),
      options,
    ),
  };
  cutters.set(name, cutter);
  return cutter;
}

/**
 * Unwraps a line on the globe for the plane: where it crosses the date line, its longitudes continue beyond 180 degrees
 * instead of jumping across the whole map. What exceeds the edge is wrapped to the other side when tiles are cut.
 */
export function unwrap(line: Position[]): Position[] {
  let turn = 0;
  return line.map(([longitude = 0, latitude = 0], at) => {
    const before = line[at - 1]?.[0] ?? longitude;
    if (longitude - before > 180) turn -= 360;
    if (longitude - before < -180) turn += 360;
    return [longitude + turn, latitude];
  });
}

/** Unwraps a ring, like `unwrap`. A ring around a pole, such as Antarctica's, is closed along the edge of the map. */
export function unwrapRing(ring: Position[]): Position[] {
  const line = unwrap(ring);
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last || Math.abs((last[0] ?? 0) - (first[0] ?? 0)) < 180) return line;
  const pole = Math.sign(line.reduce((sum, [, latitude = 0]) => sum + latitude, 0)) * 90;
  return [...line, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first];
}

function unwrapPolygons(land: Feature | FeatureCollection): FeatureCollection {
  const features = land.type === 'Feature' ? [land] : land.features;
  return {
    type: 'FeatureCollection',
    features: features.map((shape) => ({ ...shape, geometry: unwrapAreas(shape.geometry) })),
  };
}

function unwrapAreas(geometry: Geometry): Polygon | MultiPolygon {
  if (geometry.type === 'Polygon') return { ...geometry, coordinates: geometry.coordinates.map(unwrapRing) };
  if (geometry.type === 'MultiPolygon')
    return { ...geometry, coordinates: geometry.coordinates.map((rings) => rings.map(unwrapRing)) };
  throw new Error(`land that is a ${geometry.type}`);
}

const unwrapLines = (lines: MultiLineString): Feature => ({
  type: 'Feature',
  properties: {},
  geometry: { ...lines, coordinates: lines.coordinates.map(unwrap) },
});

/** A tile in the Mapbox Vector Tile format (version 2), with the layers `land` and `borders`; empty for open sea. */
export function run({ z, x, y }: TileTask): Uint8Array {
  const { land, borders } = cutterFor(z);
  const layers = Object.fromEntries(
    Object.entries({ land: land.getTile(z, x, y), borders: borders.getTile(z, x, y) }).filter(
      ([, tile]) => tile !== null,
    ),
  );
  return fromGeojsonVt(layers as Parameters<typeof fromGeojsonVt>[0], { version: 2 });
}
