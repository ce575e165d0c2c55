import { Plus } from 'lucide-react';
import { GoBack } from '../../ui/back-link.tsx';
import { DialogButton } from '../../ui/overlay/dialog-button.tsx';
import { Page } from '../../ui/page.tsx';
import { CreateTag } from './create-tag.tsx';
import { useHasNoTag, useOwnTags } from '../../data/queries/tag-queries.ts';
import { YourTags } from './your-tags.tsx';
import { i18n } from '../../i18n/i18n.ts';

/** The reader's own tags, and creating another. The form for the first one is open. */
export function TagsPage() {
  const has_none = useHasNoTag();
  const has_some = useOwnTags().length > 0;
  return (
    <Page
      title={i18n.t('Your tags')}
      back={<GoBack to="/settings" />}
      intro={i18n.t('A tag is a name under which people find, follow and call you.')}
      actions={
        has_some ? (
          <DialogButton icon={Plus} label={i18n.t('New tag')} has_label title={i18n.t('New tag')}>
            {(close) => <CreateTag onCreated={close} />}
          </DialogButton>
        ) : undefined
      }
    >
      <section className="card" aria-labelledby="tags-heading">
        <h2 id="tags-heading" className="visually-hidden">
          {i18n.t('Your tags')}
        </h2>
        <YourTags />
      </section>
      {has_none ? (
        <section className="card" aria-labelledby="make-heading">
          <h2 id="make-heading">{i18n.t('New tag')}</h2>
          <CreateTag />
        </section>
      ) : null}
    </Page>
  );
}
