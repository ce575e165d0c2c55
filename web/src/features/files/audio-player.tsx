import type { MediaFile } from '@asterism/sdk';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useFreshFile } from './fresh-file.ts';
import { PlayerBar } from './player-bar.tsx';

export interface AudioProps {
  file: MediaFile;
  name: string;
  onPlay?: () => void;
  /** The number of bars of the waveform that fit. */
  bars?: number;
  /** Shown at the end of the line with the time of audio. */
  stamp?: ReactNode;
  /** What is below the player. @param seek plays from a position */
  below?: (seek: (to_s: number) => void) => ReactNode;
}

/** Plays audio, with waveform and speed. */
export function AudioPlayer({ file, name, onPlay, bars, stamp, below }: AudioProps) {
  const { stream_url, renew } = useFreshFile(file);
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
      {below?.(seek)}
    </div>
  );
}
