import type { MediaFile } from '@asterism/sdk';
import { Download, FileText } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { decodeBlurhash } from '../../ui/brand/blurhash.ts';
import { useFreshFile } from './fresh-file.ts';
import { useDownload } from './use-download.ts';
import { i18n } from '../../i18n/i18n.ts';
import { describeSize, nameOfFile } from './file-text.ts';
import { Player } from './player.tsx';

const BLUR_PX = 32;

/** The blurred placeholder until the picture is loaded. */
function Blur({ hash }: { hash: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const pixels = decodeBlurhash(hash, BLUR_PX, BLUR_PX);
    if (pixels !== undefined) canvas.current?.getContext('2d')?.putImageData(new ImageData(pixels, BLUR_PX), 0, 0);
  }, [hash]);
  return <canvas ref={canvas} width={BLUR_PX} height={BLUR_PX} aria-hidden="true" />;
}

function shapeOf({ width = 4, height = 3 }: MediaFile): CSSProperties {
  return { aspectRatio: `${width} / ${height}`, '--ratio': width / height } as CSSProperties;
}

function Picture({ file, name }: { file: MediaFile; name: string }) {
  const { stream_url, renew, is_fresh } = useFreshFile(file);
  const sizes = file.variants.filter((one) => one.name !== 'poster');
  // A renewed address is of the original file: the addresses of its variants have expired together with the first one.
  const set = is_fresh ? undefined : sizes.map(({ url, width }) => `${url} ${width}w`).join(', ');
  return (
    <a className="media-frame" style={shapeOf(file)} href={stream_url} target="_blank" rel="noreferrer">
      {file.blurhash === undefined ? null : <Blur hash={file.blurhash} />}
      <img
        src={stream_url}
        srcSet={set || undefined}
        sizes={'(min-width: 860px) 36rem, 92vw'}
        width={file.width}
        height={file.height}
        alt={name}
        loading="lazy"
        decoding="async"
        onError={renew}
      />
    </a>
  );
}

function VideoView({ file, name }: { file: MediaFile; name: string }) {
  const { stream_url, renew } = useFreshFile(file);
  return (
    <div className="media-frame" style={shapeOf(file)}>
      {file.blurhash === undefined ? null : <Blur hash={file.blurhash} />}
      <video
        controls
        preload="none"
        playsInline
        src={stream_url}
        poster={file.poster_url ?? undefined}
        aria-label={name}
        onError={renew}
      />
    </div>
  );
}

/** A file for download. */
function DownloadCard({ file }: { file: MediaFile }) {
  const keep = useDownload(file);
  const what = file.name ?? nameOfFile(file.kind);
  // The end of a long name is never truncated, since it contains the extension.
  const [, stem = what, ending = ''] = /^(.*?)(.{4}\.\w{1,5})$/su.exec(what) ?? [];
  return (
    <button type="button" className="media-file" disabled={keep.isPending} onClick={() => keep.mutate()}>
      <span className="media-file-sign">
        <FileText aria-hidden="true" />
      </span>
      <span className="media-file-words">
        <span className="visually-hidden">{i18n.t('Download {what}', { what })}</span>
        <span className="media-file-name" aria-hidden="true" dir="auto">
          <span className="cut">{stem}</span>
          {ending}
        </span>
        <span className="soft small">{describeSize(file.size_bytes)}</span>
      </span>
      <Download aria-hidden="true" />
    </button>
  );
}

function Medium({ file, name, stamp }: { file: MediaFile; name: string; stamp: ReactNode }) {
  if (file.kind === 'image') return <Picture file={file} name={name} />;
  if (file.kind === 'audio') return <Player file={file} name={name} bars={28} stamp={stamp} />;
  if (file.kind === 'video') return <VideoView file={file} name={name} />;
  return <DownloadCard file={file} />;
}

/** The accessible name of a medium; without an author it is the reader's own. */
function nameMedium(values: { what: string; number: number; count: number; by: string | undefined }): string {
  if (values.count > 1)
    return values.by === undefined
      ? i18n.t('{what} {number} of {count}, posted by you', values)
      : i18n.t('{what} {number} of {count}, posted by {by}', values);
  return values.by === undefined ? i18n.t('{what}, posted by you', values) : i18n.t('{what}, posted by {by}', values);
}

interface MediaViewProps {
  files: readonly MediaFile[];
  by: string | undefined;
  /** Shown in the player of a single piece of audio. */
  stamp?: ReactNode;
}

/** All media of a post; each reserves its space before it is loaded. */
export function MediaView({ files, by, stamp }: MediaViewProps) {
  if (files.length === 0) return null;
  const pictures = files.filter(({ kind }) => kind === 'image').length;
  return (
    <div className="media" data-many={pictures > 1 ? '' : undefined}>
      {files.map((file, index) => {
        const values = { what: nameOfFile(file.kind), number: index + 1, count: files.length, by };
        return <Medium key={file.id} file={file} name={nameMedium(values)} stamp={stamp} />;
      })}
    </div>
  );
}
