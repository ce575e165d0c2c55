import type { MediaFile } from '@asterism/sdk';
import { Pause, Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { describeDuration, describeProgress } from '../../ui/when.tsx';
import { useFreshFile } from './fresh-file.ts';
import { i18n } from '../../i18n/i18n.ts';

/** How fast sound can be played. */
export const SPEEDS = [1, 1.5, 2] as const;

/** Fewer levels of the same sound: of those that fall together the loudest. */
function gatherLevels(levels: readonly number[], most: number): readonly number[] {
  if (levels.length <= most) return levels;
  const at = (bar: number) => Math.floor((bar * levels.length) / most);
  return Array.from({ length: most }, (_, bar) => Math.max(...levels.slice(at(bar), at(bar + 1))));
}

/** Bars of loudness, lit as far as has been played; flat where nothing is known. */
export function Bars({ levels, share, most = 100 }: { levels: readonly number[]; share: number; most?: number }) {
  const shown = levels.length > 0 ? gatherLevels(levels, most) : Array.from({ length: Math.min(50, most) }, () => 0.15);
  return (
    <svg className="waveform" viewBox={`0 0 ${shown.length * 4} 40`} preserveAspectRatio="none" aria-hidden="true">
      {shown.map((level, index) => {
        const height = Math.max(2, level * 38);
        const is_played = index / shown.length < share;
        // Bars have no other name than their place.
        return (
          <path
            key={index}
            d={`M${index * 4 + 2} ${20 - height / 2}v${height}`}
            data-played={is_played ? '' : undefined}
          />
        );
      })}
    </svg>
  );
}

type Chapters = readonly { at_s: number; name: string }[];

interface PlayerProps {
  file: MediaFile;
  name: string;
  onPlay?: () => void;
  /** How many bars of its waveform there is room for. */
  bars?: number;
  /** Named places in it, such as who began to speak. */
  chapters?: Chapters;
}

/** Plays sound with its waveform, its speed and its chapters; film with the browser's own controls. */
export function Player({ file, name, onPlay, bars, chapters = [] }: PlayerProps) {
  const { stream_url, renew } = useFreshFile(file);
  const Shown = file.kind === 'video' ? FilmPlayer : SoundPlayer;
  return (
    <Shown
      {...{ file, name, chapters, stream_url, renew }}
      {...(onPlay ? { onPlay } : {})}
      {...(bars ? { bars } : {})}
    />
  );
}

type ShownProps = PlayerProps & { chapters: Chapters; stream_url: string; renew: () => void };

function FilmPlayer({ file, name, onPlay, chapters, stream_url, renew }: ShownProps) {
  const film = useRef<HTMLVideoElement>(null);
  const seek = (to_s: number) => {
    const element = film.current;
    if (element === null) return;
    element.currentTime = to_s;
    // Without its first octets loaded, a film has no place to go to before it plays.
    element.play().catch(() => undefined);
  };
  return (
    <div className="stack-small">
      <div className="media-frame" style={{ aspectRatio: `${file.width ?? 4} / ${file.height ?? 3}` }}>
        <video
          ref={film}
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

/** Named places, each a button that goes there. */
export function ChapterList({ chapters, onSeek }: { chapters: Chapters; onSeek: (to_s: number) => void }) {
  if (chapters.length === 0) return null;
  return (
    <ol className="chapters">
      {chapters.map((chapter) => (
        <li key={chapter.at_s}>
          <button type="button" className="button button-plain" onClick={() => onSeek(chapter.at_s)}>
            {describeDuration(chapter.at_s)} {chapter.name}
          </button>
        </li>
      ))}
    </ol>
  );
}

function SoundPlayer({ file, name, onPlay, bars = 100, chapters, stream_url, renew }: ShownProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const [at_s, setAt] = useState(0);
  const [speed, setSpeed] = useState<number>(1);
  // Recordings of browsers know their length only when they have been played through.
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
  const nextSpeed = () => {
    const next = SPEEDS[(SPEEDS.indexOf(speed as 1) + 1) % SPEEDS.length] ?? 1;
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
      <button type="button" className="button button-icon" onClick={toggle}>
        {playing ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
        <span className="visually-hidden">
          {playing ? i18n.t('Pause') : i18n.t('Play')}: {name}
        </span>
      </button>
      <div className="player-track">
        <Bars levels={file.waveform ?? []} share={length_s > 0 ? at_s / length_s : 0} most={bars} />
        <input
          type="range"
          min={0}
          max={Math.max(length_s, at_s)}
          step={0.1}
          value={at_s}
          aria-label={i18n.t('Place in {name}', { name })}
          aria-valuetext={describeProgress(at_s, length_s)}
          onChange={({ currentTarget }) => seek(Number(currentTarget.value))}
        />
      </div>
      <span className="soft small player-time">
        {describeDuration(at_s)} / {describeDuration(length_s)}
      </span>
      <button type="button" className="button button-quiet player-speed" onClick={nextSpeed}>
        {speed}×<span className="visually-hidden"> {i18n.t('speed; press for another')}</span>
      </button>
      <ChapterList chapters={chapters} onSeek={seek} />
    </div>
  );
}
