import { Pause, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { i18n } from '../../i18n/i18n.ts';
import { describeDuration, describeProgress } from '../../ui/when.tsx';
import './player.css';

/** The playback rates to choose from. */
const SPEEDS = [1, 1.5, 2] as const;

const MAX_BARS = 100;
const UNKNOWN_BARS = 50;

/** Reduces levels to a maximum number of bars; each bar has the loudest of its levels. */
function gatherLevels(levels: readonly number[], max_bars: number): readonly number[] {
  if (levels.length <= max_bars) return levels;
  const at = (bar: number) => Math.floor((bar * levels.length) / max_bars);
  return Array.from({ length: max_bars }, (_, bar) => Math.max(...levels.slice(at(bar), at(bar + 1))));
}

/** A waveform, highlighted up to the current position; flat where levels are unknown. */
function Waveform({ levels, share, max_bars }: { levels: readonly number[]; share: number; max_bars: number }) {
  const flat = () => Array.from({ length: Math.min(UNKNOWN_BARS, max_bars) }, () => 0.15);
  const shown = levels.length > 0 ? gatherLevels(levels, max_bars) : flat();
  return (
    <svg className="waveform" viewBox={`0 0 ${shown.length * 4} 40`} preserveAspectRatio="none" aria-hidden="true">
      {shown.map((level, index) => {
        const height = Math.max(2, level * 38);
        const is_played = index / shown.length < share;
        // Bars have no other key than their position.
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

interface PlayerBarProps {
  name: string;
  is_playing: boolean;
  onToggle: () => void;
  at_s: number;
  length_s: number;
  onSeek: (to_s: number) => void;
  speed: number;
  onSpeed: (speed: number) => void;
  /** The levels of the waveform, 0 to 1; empty where they are unknown. */
  levels: readonly number[];
  /** The number of bars that fit. */
  max_bars?: number | undefined;
  /** Shown at the end of the line of its time. */
  stamp?: ReactNode;
}

/** The controls of an audio player: play, position, time and speed. */
export function PlayerBar(props: PlayerBarProps) {
  const {
    name,
    is_playing,
    onToggle,
    at_s,
    length_s,
    onSeek,
    speed,
    onSpeed,
    levels,
    max_bars = MAX_BARS,
    stamp,
  } = props;
  return (
    <>
      <button type="button" className="icon-button solid" onClick={onToggle}>
        {is_playing ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
        <span className="visually-hidden">
          {is_playing ? i18n.t('Pause') : i18n.t('Play')}: {name}
        </span>
      </button>
      <div className="player-track">
        <Waveform levels={levels} share={length_s > 0 ? at_s / length_s : 0} max_bars={max_bars} />
        <input
          type="range"
          min={0}
          max={Math.max(length_s, at_s)}
          step={0.1}
          value={at_s}
          aria-label={i18n.t('Place in {name}', { name })}
          aria-valuetext={describeProgress(at_s, length_s)}
          onChange={({ currentTarget }) => onSeek(Number(currentTarget.value))}
        />
      </div>
      <span className="player-time">
        <span>
          {describeDuration(at_s)} / {describeDuration(length_s)}
        </span>
        {stamp}
      </span>
      <button
        type="button"
        className="button quiet player-speed"
        onClick={() => onSpeed(SPEEDS[(SPEEDS.indexOf(speed as 1) + 1) % SPEEDS.length] ?? 1)}
      >
        {speed}×<span className="visually-hidden"> {i18n.t('speed; press for another')}</span>
      </button>
    </>
  );
}
