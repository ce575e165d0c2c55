import { ImagePlus, Paperclip } from 'lucide-react';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { i18n } from '../../i18n/i18n.ts';

interface ChooseFilesProps {
  label: string;
  is_full?: boolean;
  onFiles: (files: readonly File[]) => void;
}

interface FileButtonProps extends Pick<ChooseFilesProps, 'is_full' | 'onFiles'> {
  className: string;
  title?: string | undefined;
  /** The content of the button. */
  children: ReactNode;
}

/** A button that opens the file picker of the device. */
function FileButton({ className, title, is_full = false, onFiles, children }: FileButtonProps) {
  const id = useId();
  return (
    <label className={`${className} file-button`} htmlFor={id} title={title} aria-disabled={is_full || undefined}>
      {children}
      <input
        id={id}
        className="visually-hidden"
        type="file"
        multiple
        accept="image/*,audio/*,video/*"
        disabled={is_full}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </label>
  );
}

/** A button for choosing pictures, audio and video of this device. */
export function ChooseFiles({ label, is_full = false, onFiles }: ChooseFilesProps) {
  return (
    <FileButton className="button quiet" is_full={is_full} onFiles={onFiles}>
      <ImagePlus aria-hidden="true" />
      {label}
    </FileButton>
  );
}

/** The same as an icon, among others of a composer. */
export function AddFiles({ label, is_full = false, onFiles }: ChooseFilesProps) {
  return (
    <FileButton className="icon-button" title={label} is_full={is_full} onFiles={onFiles}>
      <ImagePlus aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </FileButton>
  );
}

/** A button that chooses files, as an icon beside a composer. */
export function AttachButton({ onFiles }: Pick<ChooseFilesProps, 'onFiles'>) {
  return (
    <FileButton className="icon-button" title={i18n.t('Attach')} onFiles={onFiles}>
      <Paperclip aria-hidden="true" />
      <span className="visually-hidden">{i18n.t('Attach a picture, audio or video')}</span>
    </FileButton>
  );
}
