import { Paperclip } from 'lucide-react';
import { useId } from 'react';
import { i18n } from '../../i18n/i18n.ts';

/** The way to pictures, sound and films of this device. */
export function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const id = useId();
  return (
    <label className="button button-plain button-icon file-button" htmlFor={id} title={i18n.t('Attach')}>
      <Paperclip aria-hidden="true" />
      <span className="visually-hidden">{i18n.t('Attach a picture, sound or film')}</span>
      <input
        id={id}
        className="visually-hidden"
        type="file"
        multiple
        accept="image/*,audio/*,video/*"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </label>
  );
}
