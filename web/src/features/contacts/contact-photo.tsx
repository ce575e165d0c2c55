import { useQueryClient } from '@tanstack/react-query';
import { Camera, Trash2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { sdk } from '../../asterism.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { useMenu } from '../../ui/overlay/use-menu.ts';
import { contactQuery, type Contact } from '../../data/queries/contact-queries.ts';
import { useContactMutation } from './use-contact-mutation.ts';
import { i18n } from '../../i18n/i18n.ts';

/** The picture of a contact: the one that the reader has set, otherwise that of its account. */
export function ContactAvatar({ contact, size_px }: { contact: Contact; size_px?: number }) {
  const { name, user, photo_url } = contact;
  return (
    <Avatar
      name={user?.username ?? name}
      called={name}
      url={photo_url ?? user?.avatar_url}
      {...(size_px === undefined ? {} : { size_px })}
    />
  );
}

/** The picture of a contact on its page; pressing it sets, replaces or removes it. */
export function ContactPhoto({ contact }: { contact: Contact }) {
  const menu = useMenu();
  const queries = useQueryClient();
  const picker = useRef<HTMLInputElement>(null);
  const path = { contact_id: contact.id };
  const keep = (changed: Contact) => queries.setQueryData(contactQuery(contact.id).queryKey, changed);
  const chosen = useRef<File>(undefined);
  const set = useContactMutation(async () => {
    if (chosen.current !== undefined) keep(await sdk.contacts.setContactPhoto({ path, file: chosen.current }));
  });
  const remove = useContactMutation(
    async () => keep(await sdk.contacts.removeContactPhoto({ path })),
    i18n.t('Photo removed.'),
  );
  const is_busy = set.isPending || remove.isPending;
  const pick = () => picker.current?.click();
  const has_photo = contact.photo_url !== null;
  return (
    <div className="contact-photo" aria-busy={is_busy}>
      <ContactAvatar contact={contact} size_px={104} />
      <input
        ref={picker}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
        hidden
        aria-label={i18n.t('Photo of {name}', { name: contact.name })}
        onChange={({ currentTarget }) => {
          chosen.current = currentTarget.files?.[0];
          currentTarget.value = '';
          if (chosen.current !== undefined) set.mutate(contact);
        }}
      />
      {has_photo ? (
        <DropdownMenu.Root {...menu.root}>
          <DropdownMenu.Trigger {...menu.trigger} className="icon-button tint" aria-disabled={is_busy}>
            <Camera aria-hidden="true" />
            <span className="visually-hidden">{i18n.t('Change the photo')}</span>
          </DropdownMenu.Trigger>
          <DropdownMenu.Portal>
            <DropdownMenu.Content {...menu.content} className="menu" sideOffset={4} collisionPadding={12}>
              <DropdownMenu.Item className="menu-item" onSelect={pick}>
                <Camera aria-hidden="true" />
                {i18n.t('Choose another photo')}
              </DropdownMenu.Item>
              <DropdownMenu.Item className="menu-item" onSelect={() => remove.mutate(contact)}>
                <Trash2 aria-hidden="true" />
                {i18n.t('Remove the photo')}
              </DropdownMenu.Item>
            </DropdownMenu.Content>
          </DropdownMenu.Portal>
        </DropdownMenu.Root>
      ) : (
        <button type="button" className="icon-button tint" aria-disabled={is_busy} onClick={pick}>
          <Camera aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Add a photo')}</span>
        </button>
      )}
    </div>
  );
}
