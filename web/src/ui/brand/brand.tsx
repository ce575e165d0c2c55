import { Aster } from './aster.tsx';
import { i18n } from '../../i18n/i18n.ts';

/** The name of the product with its star. */
export function Brand() {
  return (
    <span className="brand">
      <Aster />
      {i18n.t('Asterism')}
    </span>
  );
}

/** A tag's name with its sigil. */
export function TagName({ name }: { name: string }) {
  return (
    <bdi className="tag-name">
      <span className="sigil">*</span>
      {name}
    </bdi>
  );
}
