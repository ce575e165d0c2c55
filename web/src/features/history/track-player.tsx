import { Download, Volume2, VolumeX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useFreshFile } from '../files/fresh-file.ts';
import { useDownload } from '../files/use-download.ts';
import { ChapterList } from '../files/player.tsx';
import { PlayerBar } from '../files/player-bar.tsx';
import type { Recorded } from '../../data/queries/history-queries.ts';
import { useTracks } from './use-tracks.ts';
import './track-player.css';
import { i18n } from '../../i18n/i18n.ts';

type Track = Recorded['tracks'][number];

/** The tracks of one person, one for each time they joined. */
interface Voice {
  readonly name: string;
  readonly tracks: readonly Track[];
}

function audioPiecesOf(tracks: readonly Track[]): Voice[] {
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

function TrackSegment({ track, muted, onElement }: PieceProps) {
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
    <button type="button" className="icon-button" disabled={download.isPending} onClick={() => download.mutate()}>
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
      <button type="button" className="button quiet small" aria-pressed={alone} onClick={onAlone}>
        {i18n.t('Solo')}
        <span className="visually-hidden"> {name}</span>
      </button>
      <button type="button" className="icon-button" aria-pressed={muted} onClick={onMute}>
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

/**
 * Plays a recording with a track for each person: synchronised, with common controls; each can be muted or played solo.
 */
export function TrackPlayer({ recording: { tracks, chapters, duration_s }, name }: TrackPlayerProps) {
  const voices = useMemo(() => audioPiecesOf(tracks), [tracks]);
  const segments = useMemo(
    () =>
      tracks.map(({ file, starts_at_s }) => ({ id: file.id, starts_s: starts_at_s, duration_s: file.duration_s ?? 0 })),
    [tracks],
  );
  const length_s = duration_s ?? Math.max(0, ...segments.map((segment) => segment.starts_s + segment.duration_s));
  const { playing, setPlaying, at_s, seek, rate, setRate, hold } = useTracks(segments, length_s);
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
          <TrackSegment key={track.file.id} track={track} muted={isMuted(voice.name)} onElement={hold} />
        )),
      )}
      <div className="player">
        <PlayerBar
          name={name}
          is_playing={playing}
          onToggle={() => setPlaying(!playing)}
          at_s={at_s}
          length_s={length_s}
          onSeek={seek}
          speed={rate}
          onSpeed={setRate}
          levels={[]}
        />
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
