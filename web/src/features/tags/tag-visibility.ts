import type { Tag } from '@asterism/sdk';
import { i18n } from '../../i18n/i18n.ts';

/** Who can find a tag, in the words of its form. */
export const WHO_FINDS: Readonly<Record<Tag['visibility'], string>> = {
  get public() {
    return i18n.t('Everyone');
  },
  get unlisted() {
    return i18n.t('People who know it');
  },
  get private() {
    return i18n.t('Followers you accept');
  },
};

/** Who can find a tag; nothing where everyone can. */
export const describeVisibility = ({ visibility }: Pick<Tag, 'visibility'>): string =>
  visibility === 'public' ? '' : WHO_FINDS[visibility];
