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
  /** What the button shows. */
  children: ReactNode;
}

/** A button that opens the device's own choice of files. */
function FileButton({ className, title, is_full = false, onFiles, children }: FileButtonProps) {
  const id = useId();
  return (
    <label
      className={`button ${className} file-button`}
      htmlFor={id}
      title={title}
      aria-disabled={is_full || undefined}
    >
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

/** The way to pictures, sound and films of this device. */
export function ChooseFiles({ label, is_full = false, onFiles }: ChooseFilesProps) {
  return (
    <FileButton className="button-quiet" is_full={is_full} onFiles={onFiles}>
      <ImagePlus aria-hidden="true" />
      {label}
    </FileButton>
  );
}

/** The same beside a line in which one writes: a sign alone. */
export function AttachButton({ onFiles }: Pick<ChooseFilesProps, 'onFiles'>) {
  return (
    <FileButton className="button-plain button-icon" title={i18n.t('Attach')} onFiles={onFiles}>
      <Paperclip aria-hidden="true" />
      <span className="visually-hidden">{i18n.t('Attach a picture, sound or film')}</span>
    </FileButton>
  );
}
