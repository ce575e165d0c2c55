/** Pictures in tests: a client of the native SDK shows one colour, and a decoder proves which one is seen where. */
import {
  LocalVideoTrack,
  TrackPublishOptions,
  TrackSource,
  VideoBufferType,
  VideoCodec,
  VideoFrame,
  VideoSource,
  type Room,
} from '@livekit/rtc-node';

export type Colour = [red: number, green: number, blue: number];

const FRAME_MS = 40;

/** A picture in one colour, with a grey block in its upper left corner that moves, so that pictures differ. */
function paint(width: number, height: number, colour: Colour, tick: number): VideoFrame {
  const pixels = new Uint8Array(width * height * 4);
  const row = Buffer.alloc(width * 4, Buffer.from([...colour, 255]));
  for (let y = 0; y < height; y++) pixels.set(row, y * width * 4);
  const edge = Math.max(4, Math.floor(height / 16));
  for (let y = 0; y < edge; y++)
    pixels.fill(128, (y * width + (tick % edge)) * 4, (y * width + (tick % edge) + edge) * 4);
  return new VideoFrame(pixels, width, height, VideoBufferType.RGBA);
}

/** Publishes a camera or a screen in one colour until `stop`. */
export async function publishColour(
  room: Room,
  colour: Colour,
  {
    width = 640,
    height = 360,
    source = TrackSource.SOURCE_CAMERA,
  }: { width?: number; height?: number; source?: TrackSource } = {},
) {
  const frames = new VideoSource(width, height);
  const track = LocalVideoTrack.createVideoTrack('colour', frames);
  const options = new TrackPublishOptions();
  options.source = source;
  options.videoCodec = VideoCodec.VP8;
  options.simulcast = false;
  let tick = 0;
  const clock = setInterval(() => frames.captureFrame(paint(width, height, colour, tick++)), FRAME_MS);
  const publication = await room.localParticipant?.publishTrack(track, options);
  return {
    track,
    publication,
    async stop() {
      clearInterval(clock);
      await room.localParticipant?.unpublishTrack(publication?.sid ?? '');
      await track.close();
    },
  };
}
