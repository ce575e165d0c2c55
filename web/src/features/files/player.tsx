import type { MediaFile } from '@asterism/sdk';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { describeDuration } from '../../ui/when.tsx';
import { useFreshFile } from './fresh-file.ts';
import { PlayerBar } from './player-bar.tsx';

type Chapters = readonly { at_s: number; name: string }[];

interface PlayerProps {
  file: MediaFile;
  name: string;
  onPlay?: () => void;
  /** The number of bars of the waveform that fit. */
  bars?: number;
  /** Named positions, such as the turns of speakers. */
  chapters?: Chapters;
  /** Shown at the end of the line with the time of audio. */
  stamp?: ReactNode;
}

/** Plays audio with waveform, speed and chapters; video with the browser's own controls. */
export function Player({ file, name, onPlay, bars, chapters = [], stamp }: PlayerProps) {
  const { stream_url, renew } = useFreshFile(file);
  const Shown = file.kind === 'video' ? VideoPlayer : AudioPlayer;
  return (
    <Shown
      {...{ file, name, chapters, stamp, stream_url, renew }}
      {...(onPlay ? { onPlay } : {})}
      {...(bars ? { bars } : {})}
    />
  );
}

type ShownProps = PlayerProps & { chapters: Chapters; stream_url: string; renew: () => void };

function VideoPlayer({ file, name, onPlay, chapters, stream_url, renew }: ShownProps) {
  const video = useRef<HTMLVideoElement>(null);
  const seek = (to_s: number) => {
    const element = video.current;
    if (element === null) return;
    element.currentTime = to_s;
    // A video cannot seek before any of it is loaded, which playing starts.
    element.play().catch(() => undefined);
  };
  return (
    <div className="stack-small">
      <div className="media-frame" style={{ aspectRatio: `${file.width ?? 4} / ${file.height ?? 3}` }}>
        <video
          ref={video}
          controls
          preload="none"
          playsInline
          src={stream_url}
          poster={file.poster_url ?? undefined}
          aria-label={name}
          onError={renew}
          onPlay={onPlay}
        />
      </div>
      <ChapterList chapters={chapters} onSeek={seek} />
    </div>
  );
}

/** A list of chapters, each a button that seeks to it. */
export function ChapterList({ chapters, onSeek }: { chapters: Chapters; onSeek: (to_s: number) => void }) {
  if (chapters.length === 0) return null;
  return (
    <ol className="chapters">
      {chapters.map((chapter) => (
        <li key={chapter.at_s}>
          <button type="button" className="button plain" onClick={() => onSeek(chapter.at_s)}>
            {describeDuration(chapter.at_s)} {chapter.name}
          </button>
        </li>
      ))}
    </ol>
  );
}

function AudioPlayer({ file, name, onPlay, bars, chapters, stamp, stream_url, renew }: ShownProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const [at_s, setAt] = useState(0);
  const [speed, setSpeed] = useState<number>(1);
  // Browsers' recordings have no duration in their header.
  const length_s = file.duration_s ?? 0;
  const seek = (to_s: number) => {
    if (audio.current !== null) audio.current.currentTime = to_s;
    setAt(to_s);
  };
  const toggle = () => {
    const element = audio.current;
    if (element === null) return;
    if (element.paused) element.play().catch(() => setPlaying(false));
    else element.pause();
  };
  const changeSpeed = (next: number) => {
    if (audio.current !== null) audio.current.playbackRate = next;
    setSpeed(next);
  };
  return (
    <div className="player" role="group" aria-label={name}>
      <audio
        ref={audio}
        preload="none"
        src={stream_url}
        onError={renew}
        onPlay={() => {
          setPlaying(true);
          onPlay?.();
        }}
        onPause={() => setPlaying(false)}
        onEnded={() => seek(0)}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
      />
      <PlayerBar
        name={name}
        is_playing={playing}
        onToggle={toggle}
        at_s={at_s}
        length_s={length_s}
        onSeek={seek}
        speed={speed}
        onSpeed={changeSpeed}
        levels={file.waveform ?? []}
        max_bars={bars}
        stamp={stamp}
      />
      <ChapterList chapters={chapters} onSeek={seek} />
    </div>
  );
}
