/**
 * Grid cells of about one kilometre, to which approximate positions are snapped before anything else sees them. The
 * grid is fixed: random noise could be averaged out, and cells centred on a person would reveal where the person is.
 */

/** A position in degrees (WGS 84). */
export type Point = { latitude: number; longitude: number };

/** The height of a row of cells in degrees of latitude: about 1 km (one degree is about 111.2 km). */
const row_degrees = 0.009;
const rows = 180 / row_degrees;

/** The accuracy reported for every cell, in metres: no point of a cell is further than this from its centre. */
export const cell_accuracy_m = 750;

/** Mean radius of the Earth in metres (IUGG). */
const earth_radius_m = 6_371_008.8;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/**
 * The centre of the cell that contains a point. Cells are about square at every latitude, also near the poles: each row
 * is divided into as many as fit its length.
 * @param point in degrees, WGS 84
 */
export function cellOf({ latitude, longitude }: Point): Point {
  const row = Math.min(rows - 1, Math.max(0, Math.floor((latitude + 90) / row_degrees)));
  const centre_latitude = -90 + (row + 0.5) * row_degrees;
  const columns = Math.max(1, Math.round((360 * Math.cos(radians(centre_latitude))) / row_degrees));
  const turn = (longitude + 180) / 360;
  // 180° east is 180° west.
  const column = Math.floor((turn - Math.floor(turn)) * columns) % columns;
  return {
    latitude: roundTo6(centre_latitude),
    longitude: roundTo6(-180 + ((column + 0.5) * 360) / columns),
  };
}

/** Rounded to about 0.1 m, so that a centre is the same number wherever it is computed. */
const roundTo6 = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

/** The distance between two points along the surface, in metres (haversine formula). */
export function distance_m(one: Point, other: Point): number {
  const rise = Math.sin(radians(other.latitude - one.latitude) / 2) ** 2;
  const turn = Math.sin(radians(other.longitude - one.longitude) / 2) ** 2;
  const chord = rise + Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * turn;
  return 2 * earth_radius_m * Math.asin(Math.min(1, Math.sqrt(chord)));
}
