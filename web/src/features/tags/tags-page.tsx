import { GoBack } from '../../ui/back-link.tsx';
import { Page } from '../../ui/page.tsx';
import { MakeTag } from './make-tag.tsx';
import { YourTags } from './your-tags.tsx';
import { i18n } from '../../i18n/i18n.ts';

/** The reader's own tags, and creating another. */
export function TagsPage() {
  return (
    <Page
      title={i18n.t('Your tags')}
      back={<GoBack to="/settings" />}
      intro={i18n.t('A tag is a name under which people find, follow and call you.')}
    >
      <div className="columns">
        <section className="card" aria-labelledby="tags-heading">
          <h2 id="tags-heading" className="visually-hidden">
            {i18n.t('Your tags')}
          </h2>
          <YourTags />
        </section>
        <section className="card" aria-labelledby="make-heading">
          <h2 id="make-heading">{i18n.t('New tag')}</h2>
          <MakeTag />
        </section>
      </div>
    </Page>
  );
}
