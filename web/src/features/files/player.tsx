import { useRef } from 'react';
import { describeDuration } from '../../ui/when.tsx';
import { AudioPlayer } from './audio-player.tsx';
import type { AudioProps } from './audio-player.tsx';
import { useFreshFile } from './fresh-file.ts';
import './media-view.css';

type Chapters = readonly { at_s: number; name: string }[];

interface PlayerProps extends AudioProps {
  /** Named positions, such as the turns of speakers. */
  chapters?: Chapters;
}

/** Plays audio with waveform, speed and chapters; video with the browser's own controls. */
export function Player(props: PlayerProps) {
  const { chapters = [], ...audio } = props;
  if (props.file.kind === 'video') return <VideoPlayer {...props} />;
  return <AudioPlayer {...audio} below={(seek) => <ChapterList chapters={chapters} onSeek={seek} />} />;
}

function VideoPlayer({ file, name, onPlay, chapters = [] }: PlayerProps) {
  const { stream_url, renew } = useFreshFile(file);
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
