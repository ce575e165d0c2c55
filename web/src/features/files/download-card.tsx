import type { MediaFile } from '@asterism/sdk';
import { Download, FileText } from 'lucide-react';
import { i18n } from '../../i18n/i18n.ts';
import { describeSize, nameOfFile } from './file-text.ts';
import { useDownload } from './use-download.ts';

/** A file for download. */
export function DownloadCard({ file }: { file: MediaFile }) {
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
