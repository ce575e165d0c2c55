import { ImagePlus } from 'lucide-react';
import { useId } from 'react';

interface ChooseFilesProps {
  label: string;
  is_full: boolean;
  onFiles: (files: readonly File[]) => void;
}

/** The way to pictures, sound and films of this device. */
export function ChooseFiles({ label, is_full, onFiles }: ChooseFilesProps) {
  const id = useId();
  return (
    <label className="button button-quiet file-button" htmlFor={id} aria-disabled={is_full}>
      <ImagePlus aria-hidden="true" />
      {label}
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
