import { describe, expect, it } from 'vitest';
import type { RecordedVideo } from '../../engines/ports.ts';
import { findScenes } from './scenes.ts';

let pieces = 0;
const piece = (track_id: string, starts_ms: number, ends_ms: number, source = 'camera'): RecordedVideo => ({
  path: `/${track_id}/${++pieces}.ivf`,
  identity: track_id,
  name: track_id,
  track_id,
  source,
  starts_ms,
  duration_ms: ends_ms - starts_ms,
  size_bytes: 1,
  width: 640,
  height: 360,
});
/** The tiles of each scene with their positions. */
const draw = (videos: RecordedVideo[], duration_ms: number) =>
  findScenes(videos, duration_ms).map(({ from_ms, to_ms, tiles }) => [
    from_ms,
    to_ms,
    tiles.map(({ path, x, y, width, height }) => `${path.split('/')[1]} ${x},${y} ${width}x${height}`),
  ]);

describe('scenes of a video', () => {
  it('change when a video starts or ends, and cover the whole recording', () => {
    const videos = [piece('ann', 1_010, 9_990), piece('ben', 4_000, 7_015)];
    expect(draw(videos, 10_005)).toEqual([
      [0, 1_000, []],
      [1_000, 4_000, ['ann 0,0 1280x720']],
      [4_000, 7_000, ['ann 0,0 640x720', 'ben 640,0 640x720']],
      [7_000, 10_000, ['ann 0,0 1280x720']],
    ]);
  });

  it('combine changes that are close together, and ignore short gaps', () => {
    const videos = [piece('ann', 300, 5_000), piece('ben', 100, 2_000), piece('ben', 3_500, 5_200)];
    expect(draw(videos, 5_300)).toEqual([
      [0, 3_520, ['ben 0,0 640x720', 'ann 640,0 640x720']],
      [3_520, 5_320, ['ben 0,0 640x720', 'ann 640,0 640x720']],
    ]);
    const [first, second] = findScenes(videos, 5_300);
    // The second piece is another file in the same tile, and each file has a separate start time.
    expect([first?.tiles[0]?.path, second?.tiles[0]?.path]).toEqual([videos[1]?.path, videos[2]?.path]);
    expect([first?.tiles[1]?.starts_ms, second?.tiles[0]?.starts_ms]).toEqual([300, 3_500]);
  });

  it('show the newest screen large, with five cameras beside it', () => {
    const faces = ['ann', 'ben', 'cleo', 'dara', 'emil', 'fay'].map((name, at) => piece(name, at, 9_000));
    const [scene] = findScenes(
      [...faces, piece('old', 10, 9_000, 'screen_share'), piece('new', 20, 9_000, 'screen_share')],
      9_000,
    );
    expect(scene?.tiles.map(({ path }) => path.split('/')[1])).toEqual(['new', 'ann', 'ben', 'cleo', 'dara', 'emil']);
    expect(scene?.tiles[0]).toMatchObject({ x: 0, y: 0, width: 1_024, height: 720 });
    expect(scene?.tiles.slice(1).map(({ x, y }) => [x, y])).toEqual([0, 1, 2, 3, 4].map((at) => [1_024, at * 144]));
    expect(draw([piece('alone', 0, 1_000, 'screen_share')], 1_000)).toEqual([[0, 1_000, ['alone 0,0 1280x720']]]);
  });

  it('fit up to sixteen cameras into the video without overlap, with a centred last row', () => {
    for (let count = 1; count <= 18; count++) {
      const videos = Array.from({ length: count }, (_, at) => piece(`p${at}`, 0, 1_000));
      const tiles = findScenes(videos, 1_000)[0]?.tiles ?? [];
      expect(tiles).toHaveLength(Math.min(16, count));
      for (const [at, { x, y, width, height }] of tiles.entries()) {
        expect([x, y, width, height].every((pixels) => pixels % 2 === 0)).toBe(true);
        expect([x >= 0, y >= 0, x + width <= 1_280, y + height <= 720]).toEqual([true, true, true, true]);
        const covered = tiles
          .slice(0, at)
          .some((tile) => Math.abs(tile.x - x) < width && Math.abs(tile.y - y) < height);
        expect(covered).toBe(false);
      }
    }
    expect(
      findScenes(
        ['a', 'b', 'c'].map((name) => piece(name, 0, 1_000)),
        1_000,
      )[0]?.tiles[2]?.x,
    ).toBe(320);
  });

  it('are one empty scene without videos, and ignore videos beyond the end', () => {
    expect(draw([], 2_000)).toEqual([[0, 2_000, []]]);
    expect(draw([piece('ann', 0, 5_000), piece('ben', 3_000, 4_000)], 2_000)).toEqual([
      [0, 2_000, ['ann 0,0 1280x720']],
    ]);
    expect(draw([piece('ann', 0, 100)], 200)).toEqual([[0, 200, ['ann 0,0 1280x720']]]);
  });
});
