/**
 * Cells of about one kilometre, into which approximate positions are snapped before anything else sees them. Their edges
 * are fixed: noise could be averaged away, and cells around a person would tell where the person is.
 */

export type Point = { latitude: number; longitude: number };

/** Height of a row of cells in degrees of latitude: about 1 km (one degree is about 111.2 km). */
const row_degrees = 0.009;
const rows = 180 / row_degrees;

/** The accuracy that is told of every cell, in metres: the centre is never further than this from a point of the cell. */
export const cell_accuracy_m = 750;

/** Mean radius of the Earth in metres (IUGG). */
const earth_radius_m = 6_371_008.8;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/**
 * The centre of the cell that a point lies in. Cells are as wide as they are high at every latitude, also near the poles:
 * a row is cut into as many as fit its length.
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

/** To about 0.1 m, so that a centre is the same number wherever it is computed. */
const roundTo6 = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

/** The distance of two points along the surface, in metres (haversine formula). */
export function distance_m(one: Point, other: Point): number {
  const rise = Math.sin(radians(other.latitude - one.latitude) / 2) ** 2;
  const turn = Math.sin(radians(other.longitude - one.longitude) / 2) ** 2;
  const chord = rise + Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * turn;
  return 2 * earth_radius_m * Math.asin(Math.min(1, Math.sqrt(chord)));
}
