import { ShareButton } from '../../ui/overlay/share/share-button.tsx';
import { addressOfTag } from '../../ui/overlay/share/share-link.ts';
import { i18n } from '../../i18n/i18n.ts';

/**
 * Ways to share a tag: a QR code, the link, and the system's share sheet.
 * @param has_label whether its button has words, and not only an icon
 */
export function ShareTag({ name, has_label = false }: { name: string; has_label?: boolean }) {
  const heading = i18n.t('Share *{name}', { name });
  return (
    <ShareButton
      address={addressOfTag(name)}
      title={`*${name}`}
      label={i18n.t('QR code that opens *{name}', { name })}
      heading={heading}
      className={has_label ? 'button quiet small' : 'icon-button'}
    >
      <span className={has_label ? 'cut' : 'visually-hidden'}>{heading}</span>
    </ShareButton>
  );
}
