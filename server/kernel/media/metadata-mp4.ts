/**
 * Metadata of MP4 and QuickTime (ISO/IEC 14496-12): boxes that are not needed for playback become zeroed `free` boxes
 * of the same size, so that sample offsets stay valid; samples of tracks other than video, audio and subtitles, such as
 * a camera's GPS track, are zeroed; and creation times are set to zero.
 */
import { refuseMalformedMedia } from './metadata-refusal.ts';

type Box = { type: string; at: number; body_at: number; end: number };

/** The boxes that are kept, by their parent box; '' is the file itself. In any other parent, all are kept. */
const needed: Record<string, Set<string>> = {
  '': new Set(['ftyp', 'moov', 'moof', 'mdat', 'sidx', 'ssix', 'styp', 'mfra', 'pdin', 'pssh']),
  moov: new Set(['mvhd', 'trak', 'mvex', 'iods', 'pssh']),
  trak: new Set(['tkhd', 'mdia', 'edts', 'tref', 'tapt', 'load', 'clip', 'matt', 'trgr']),
  mdia: new Set(['mdhd', 'hdlr', 'minf', 'elng']),
  moof: new Set(['mfhd', 'traf', 'pssh']),
};
const entered = new Set(['moov', 'trak', 'mdia', 'moof']);
/** Boxes that begin with creation and modification times. */
const dated = new Set(['mvhd', 'tkhd', 'mdhd']);
/** The handler types of tracks that are kept: video, audio and subtitles. */
const handlers = new Set(['vide', 'soun', 'text', 'sbtl', 'subt', 'clcp']);

const textAt = (bytes: Buffer, at: number) => bytes.toString('latin1', at, at + 4);

/**
 * The boxes between two offsets. The last may be truncated.
 * @throws ApiError `validation_failed` for a box that is smaller than its own header
 */
function* boxesIn(bytes: Buffer, begin: number, end: number): Generator<Box> {
  for (let at = begin; at + 8 <= end;) {
    const size = bytes.readUInt32BE(at);
    const is_long = size === 1;
    if (is_long && at + 16 > end) return;
    const body_at = at + (is_long ? 16 : 8);
    const size_bytes = is_long ? Number(bytes.readBigUInt64BE(at + 8)) : size === 0 ? end - at : size;
    // Four zero bytes end a list of QuickTime user data.
    if (size_bytes < body_at - at) refuseMalformedMedia();
    const box_end = Math.min(at + size_bytes, end);
    yield { type: textAt(bytes, at + 4), at, body_at, end: box_end };
    at = box_end;
  }
}

/** The first box at a path below another. */
function find(
  bytes: Buffer,
  { body_at, end }: Pick<Box, 'body_at' | 'end'>,
  [name, ...rest]: string[],
): Box | undefined {
  for (const box of boxesIn(bytes, body_at, end))
    if (box.type === name) return rest.length === 0 ? box : find(bytes, box, rest);
  return undefined;
}

/** Turns a box into free space. */
function free(bytes: Buffer, { at, body_at, end }: Box): void {
  bytes.write('free', at + 4, 'latin1');
  bytes.fill(0, body_at, end);
}

/** Erases creation and modification times: they follow version and flags, with 4 or 8 bytes each. */
function undate(bytes: Buffer, { body_at, end }: Box): void {
  const moments_at = Math.min(body_at + 4, end);
  bytes.fill(0, moments_at, Math.min(moments_at + (bytes[body_at] === 1 ? 16 : 8), end));
}

type Table = { rows: number; at(row: number, column?: number): number };

/** A table of numbers, truncated to what the box holds. */
function openTable(bytes: Buffer, box: Box | undefined, columns = 1, bytes_each: 4 | 8 = 4): Table {
  if (!box || box.body_at + 8 > box.end) return { rows: 0, at: () => 0 };
  const first_at = box.body_at + 8;
  const row_bytes = columns * bytes_each;
  return {
    rows: Math.min(bytes.readUInt32BE(first_at - 4), Math.floor((box.end - first_at) / row_bytes)),
    at(row, column = 0) {
      const at = first_at + row * row_bytes + column * bytes_each;
      return bytes_each === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at);
    },
  };
}

/**
 * Overwrites the samples of a track with zeros (sections 8.7.3 to 8.7.5: sizes, samples per chunk, chunk offsets).
 * @returns the number of bytes; tables that claim more than `max_bytes` are refused
 */
function wipeSamples(bytes: Buffer, track: Box, max_bytes: number): number {
  const tables = find(bytes, track, ['mdia', 'minf', 'stbl']);
  if (!tables) return 0;
  const sizes_box = find(bytes, tables, ['stsz']);
  const is_equal = sizes_box && sizes_box.body_at + 12 <= sizes_box.end;
  const equal_bytes = is_equal ? bytes.readUInt32BE(sizes_box.body_at + 4) : 0;
  // The table of sizes has an extra number before its count.
  const sizes = openTable(bytes, sizes_box && { ...sizes_box, body_at: sizes_box.body_at + 4 });
  const runs = openTable(bytes, find(bytes, tables, ['stsc']), 3);
  const long = find(bytes, tables, ['co64']);
  const offsets = long ? openTable(bytes, long, 1, 8) : openTable(bytes, find(bytes, tables, ['stco']));
  let [run, sample, wiped_bytes] = [0, 0, 0];
  for (let chunk = 0; chunk < offsets.rows && runs.rows > 0; chunk++) {
    // Chunk numbers start at one.
    if (run + 1 < runs.rows && chunk + 1 >= runs.at(run + 1)) run++;
    const count = runs.at(run, 1);
    let size_bytes = equal_bytes * count;
    if (equal_bytes === 0)
      for (const end = Math.min(sample + count, sizes.rows); sample < end; sample++) size_bytes += sizes.at(sample);
    wiped_bytes += size_bytes;
    if (wiped_bytes > max_bytes) refuseMalformedMedia();
    const offset = offsets.at(chunk);
    bytes.fill(0, Math.min(offset, bytes.length), Math.min(offset + size_bytes, bytes.length));
  }
  return wiped_bytes;
}

/** Erases the boxes within a box, and adds the tracks to be removed to `dropped`. */
function clean(bytes: Buffer, within: Pick<Box, 'type' | 'body_at' | 'end'>, dropped: Box[]): void {
  for (const box of boxesIn(bytes, within.body_at, within.end)) {
    if (!needed[within.type]?.has(box.type)) free(bytes, box);
    else if (dated.has(box.type)) undate(bytes, box);
    else if (box.type === 'trak' && !isShown(bytes, box)) dropped.push(box);
    else if (entered.has(box.type)) clean(bytes, box, dropped);
  }
}

/** Whether a track is video, audio or subtitles. */
function isShown(bytes: Buffer, track: Box): boolean {
  const handler = find(bytes, track, ['mdia', 'hdlr']);
  return handler === undefined || handlers.has(textAt(bytes, handler.body_at + 8));
}

/**
 * Erases identifying metadata of an MP4 or QuickTime file, in place.
 * @throws ApiError `validation_failed` where boxes contradict each other, where the movie header is compressed, and
 *   where another kind of track is fragmented, so that its samples cannot be distinguished
 */
export function stripMp4(bytes: Buffer): Buffer {
  const whole = { type: '', body_at: 0, end: bytes.length };
  if (find(bytes, whole, ['moov', 'cmov'])) refuseMalformedMedia();
  const dropped: Box[] = [];
  clean(bytes, whole, dropped);
  if (dropped.length > 0 && find(bytes, whole, ['moof'])) refuseMalformedMedia();
  // No byte belongs to two samples: whatever the tables claim, the file is overwritten at most once.
  let left_bytes = bytes.length;
  for (const track of dropped) left_bytes -= wipeSamples(bytes, track, left_bytes);
  for (const track of dropped) free(bytes, track);
  return bytes;
}
