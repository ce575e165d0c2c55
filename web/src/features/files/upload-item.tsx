import { File as FileIcon, RotateCcw, X } from 'lucide-react';
import { useState } from 'react';
import type { Upload } from './use-uploads.ts';
import { i18n } from '../../i18n/i18n.ts';
import './upload-item.css';

interface UploadItemProps {
  upload: Upload;
  onRemove: () => void;
  /** Retries a failed upload. */
  onAgain?: () => void;
}

/** A file that is or was uploaded: its progress, its error, and a button to remove it. */
export function UploadItem({ upload, onRemove, onAgain }: UploadItemProps) {
  const { file, problem, sent, name, can_repeat = false, picture_url } = upload;
  const src = picture_url ?? (file?.kind === 'image' ? file.stream_url : undefined);
  // The browser cannot show every file that claims to be a picture.
  const [broken, setBroken] = useState<string>();
  return (
    <li className="upload" data-bad={problem === undefined ? undefined : ''}>
      {src === undefined || src === broken ? (
        <FileIcon aria-hidden="true" />
      ) : (
        <img src={src} alt="" width={44} height={44} onError={() => setBroken(src)} />
      )}
      <div className="list-main">
        <p className="small">{name}</p>
        {problem === undefined ? null : (
          <p className="field-error" role="alert">
            {problem}
          </p>
        )}
        {file === undefined && problem === undefined ? (
          <progress value={sent} max={1} aria-label={i18n.t('Sending {name}', { name })} />
        ) : null}
      </div>
      {can_repeat && onAgain !== undefined ? (
        <button type="button" className="icon-button" onClick={onAgain}>
          <RotateCcw aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Send {name} again', { name })}</span>
        </button>
      ) : null}
      <button type="button" className="icon-button" onClick={onRemove}>
        <X aria-hidden="true" />
        <span className="visually-hidden">{i18n.t('Remove {name}', { name })}</span>
      </button>
    </li>
  );
}
