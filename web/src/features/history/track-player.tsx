import { Download, Pause, Play, Volume2, VolumeX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { describeDuration, describeProgress } from '../../ui/when.tsx';
import { useFreshFile } from '../files/fresh-file.ts';
import { useDownload } from '../files/use-download.ts';
import { Bars, ChapterList, SPEEDS } from '../files/player.tsx';
import type { Recorded } from './history-queries.ts';
import { useTracks } from './use-tracks.ts';
import './track-player.css';
import { i18n } from '../../i18n/i18n.ts';

type Track = Recorded['tracks'][number];

/** What one person said, however often they left and came again. */
interface Voice {
  readonly name: string;
  readonly tracks: readonly Track[];
}

function voicesOf(tracks: readonly Track[]): Voice[] {
  const voices = new Map<string, Track[]>();
  for (const track of tracks) {
    const name = track.name || i18n.t('Guest');
    voices.set(name, [...(voices.get(name) ?? []), track]);
  }
  return [...voices].map(([name, own]) => ({ name, tracks: own }));
}

interface PieceProps {
  track: Track;
  muted: boolean;
  onElement: (id: string, element: HTMLAudioElement | null) => void;
}

function Piece({ track, muted, onElement }: PieceProps) {
  const { stream_url, renew } = useFreshFile(track.file);
  return (
    <audio
      ref={(element) => onElement(track.file.id, element)}
      preload="none"
      muted={muted}
      src={stream_url}
      onError={renew}
    />
  );
}

function DownloadButton({ file, what }: { file: Track['file']; what: string }) {
  const download = useDownload(file);
  return (
    <button type="button" className="ib" disabled={download.isPending} onClick={() => download.mutate()}>
      <Download aria-hidden="true" />
      <span className="visually-hidden">{i18n.t('Download {what}', { what })}</span>
    </button>
  );
}

interface VoiceRowProps {
  voice: Voice;
  muted: boolean;
  alone: boolean;
  onMute: () => void;
  onAlone: () => void;
}

function VoiceRow({ voice: { name, tracks }, muted, alone, onMute, onAlone }: VoiceRowProps) {
  return (
    <li className="voice">
      <span className="voice-name" dir="auto">
        {name}
      </span>
      <button type="button" className="btn quiet small" aria-pressed={alone} onClick={onAlone}>
        {i18n.t('Solo')}
        <span className="visually-hidden"> {name}</span>
      </button>
      <button type="button" className="ib" aria-pressed={muted} onClick={onMute}>
        {muted ? <VolumeX aria-hidden="true" /> : <Volume2 aria-hidden="true" />}
        <span className="visually-hidden">{i18n.t('Mute {name}', { name })}</span>
      </button>
      {tracks.map(({ file }, index) => (
        <DownloadButton
          key={file.id}
          file={file}
          what={
            tracks.length > 1
              ? i18n.t('{name}, part {number} of {count}', { name, number: index + 1, count: tracks.length })
              : name
          }
        />
      ))}
    </li>
  );
}

interface TrackPlayerProps {
  recording: Recorded;
  name: string;
}

/** Plays a recording that is kept as a track for each person: all at once, by one bar, each of them to be muted or heard alone. */
export function TrackPlayer({ recording: { tracks, chapters, duration_s }, name }: TrackPlayerProps) {
  const voices = useMemo(() => voicesOf(tracks), [tracks]);
  const pieces = useMemo(
    () =>
      tracks.map(({ file, starts_at_s }) => ({ id: file.id, starts_s: starts_at_s, duration_s: file.duration_s ?? 0 })),
    [tracks],
  );
  const length_s = duration_s ?? Math.max(0, ...pieces.map((piece) => piece.starts_s + piece.duration_s));
  const { playing, setPlaying, at_s, seek, rate, setRate, hold } = useTracks(pieces, length_s);
  const [muted, setMuted] = useState<ReadonlySet<string>>(new Set());
  const [alone, setAlone] = useState<string>();
  const isMuted = (who: string) => (alone === undefined ? muted.has(who) : alone !== who);
  const mute = (who: string) => {
    setAlone(undefined);
    setMuted((before) => new Set(before.has(who) ? [...before].filter((one) => one !== who) : [...before, who]));
  };
  return (
    <div className="track-player" role="group" aria-label={name}>
      {voices.flatMap((voice) =>
        voice.tracks.map((track) => (
          <Piece key={track.file.id} track={track} muted={isMuted(voice.name)} onElement={hold} />
        )),
      )}
      <div className="player">
        <button type="button" className="button button-icon" onClick={() => setPlaying(!playing)}>
          {playing ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
          <span className="visually-hidden">
            {playing ? i18n.t('Pause') : i18n.t('Play')}: {name}
          </span>
        </button>
        <div className="player-track">
          <Bars levels={[]} share={length_s > 0 ? at_s / length_s : 0} />
          <input
            type="range"
            min={0}
            max={length_s}
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
        <button
          type="button"
          className="button button-quiet player-speed"
          onClick={() => setRate(SPEEDS[(SPEEDS.indexOf(rate as 1) + 1) % SPEEDS.length] ?? 1)}
        >
          {rate}×<span className="visually-hidden"> {i18n.t('speed; press for another')}</span>
        </button>
      </div>
      <ul className="voices" aria-label={i18n.t('People in this recording')}>
        {voices.map((voice) => (
          <VoiceRow
            key={voice.name}
            voice={voice}
            muted={isMuted(voice.name)}
            alone={alone === voice.name}
            onMute={() => mute(voice.name)}
            onAlone={() => setAlone((before) => (before === voice.name ? undefined : voice.name))}
          />
        ))}
      </ul>
      <ChapterList chapters={chapters} onSeek={seek} />
    </div>
  );
}
