/** The layout of a recording's video over time: a tile for each visible participant, and screens enlarged. */
import type { RecordedVideo, Scene, Tile } from '../../engines/ports.ts';

/** The dimensions of the video in pixels, and the duration of a frame. */
export const video_width = 1280;
export const video_height = 720;
export const video_frame_ms = 40;

/** Changes that are closer together count as one. */
const together_ms = 400;
/** A track that returns within this time was not interrupted. */
const bridge_ms = 2_000;
const max_cameras = 16;
/** The maximum of tiles beside a screen. */
const max_beside = 5;
const beside_width = 256;

type View = { video: RecordedVideo; from_ms: number; to_ms: number };
type Box = Pick<Tile, 'x' | 'y' | 'width' | 'height'>;

/** Chroma has half the resolution, so that positions and sizes must be even. */
const even = (pixels: number) => 2 * Math.floor(pixels / 2);

/** When each file is visible; consecutive files of the same track leave no gap. */
function findViews(videos: RecordedVideo[]): View[] {
  const sorted = videos.toSorted((a, b) => a.starts_ms - b.starts_ms);
  return sorted.map((video, index) => {
    const [from_ms, ends_ms] = [video.starts_ms, video.starts_ms + video.duration_ms];
    const next = sorted.slice(index + 1).find(({ track_id }) => track_id === video.track_id);
    const continues = next !== undefined && next.starts_ms - ends_ms < bridge_ms;
    return { video, from_ms, to_ms: continues ? next.starts_ms : ends_ms };
  });
}

/** The times of changes, each aligned to a frame, by the measured times. */
function snapTimes(times: number[], duration_ms: number): Map<number, number> {
  const onGrid = (at_ms: number) => Math.round(at_ms / video_frame_ms) * video_frame_ms;
  const snapped = new Map<number, number>();
  let place = 0;
  for (const at_ms of times.toSorted((a, b) => a - b)) {
    if (at_ms - place >= together_ms) place = onGrid(at_ms);
    snapped.set(at_ms, at_ms > 0 && duration_ms - at_ms < together_ms ? onGrid(duration_ms) : place);
  }
  return snapped;
}

/** The boxes of a grid, with a centred last row. */
function arrangeGrid(count: number): Box[] {
  const columns = Math.ceil(Math.sqrt(count));
  const rows = Math.ceil(count / columns);
  const [width, height] = [even(video_width / columns), even(video_height / rows)];
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / columns);
    const in_row = Math.min(columns, count - row * columns);
    const left = even((video_width - in_row * width) / 2);
    return { x: left + (index % columns) * width, y: row * height, width, height };
  });
}

/** One large box, and small ones in a column on its right. */
function arrangeBeside(count: number): Box[] {
  const height = even((beside_width * video_height) / video_width);
  const top = even((video_height - count * height) / 2);
  const large = { x: 0, y: 0, width: video_width - (count > 0 ? beside_width : 0), height: video_height };
  const small = Array.from({ length: count }, (_, index) => ({
    x: video_width - beside_width,
    y: top + index * height,
    width: beside_width,
    height,
  }));
  return [large, ...small];
}

function arrange(views: View[]): Tile[] {
  const screen = views.findLast(({ video }) => video.source === 'screen_share');
  const others = views.filter((view) => view !== screen).slice(0, screen ? max_beside : max_cameras);
  const boxes = screen ? arrangeBeside(others.length) : arrangeGrid(others.length);
  return (screen ? [screen, ...others] : others).map(({ video: { path, starts_ms } }, index) => ({
    path,
    starts_ms,
    ...(boxes[index] as Box),
  }));
}

/**
 * The scenes of a video, contiguous from start to end. Each has a tile for every visible participant, in the order in
 * which they joined: sixteen cameras in a grid, or the newest screen with five others beside it.
 */
export function findScenes(videos: RecordedVideo[], duration_ms: number): Scene[] {
  const views = findViews(videos);
  const first = new Map<string, number>();
  for (const { video, from_ms } of views) if (!first.has(video.track_id)) first.set(video.track_id, from_ms);
  const bound = (at_ms: number) => Math.min(Math.max(0, at_ms), duration_ms);
  const times = views.flatMap(({ from_ms, to_ms }) => [bound(from_ms), bound(to_ms)]);
  const snapped = snapTimes([0, ...times, duration_ms], duration_ms);
  const at = (time_ms: number) => snapped.get(bound(time_ms)) ?? 0;
  const borders = [...new Set(snapped.values())].toSorted((a, b) => a - b);
  const scenes: Scene[] = [];
  for (const [index, from_ms] of borders.slice(0, -1).entries()) {
    const to_ms = borders[index + 1] ?? from_ms;
    const seen = views
      .filter((view) => at(view.from_ms) <= from_ms && at(view.to_ms) >= to_ms)
      .toSorted((a, b) => (first.get(a.video.track_id) ?? 0) - (first.get(b.video.track_id) ?? 0));
    const tiles = arrange(seen);
    const last = scenes.at(-1);
    if (last && JSON.stringify(last.tiles) === JSON.stringify(tiles)) last.to_ms = to_ms;
    else scenes.push({ from_ms, to_ms, tiles });
  }
  return scenes;
}
