import { iterate } from '@asterism/sdk';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileDown, FileUp } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { sdk } from '../../asterism.ts';
import { restoreFocus } from '../../ui/overlay/dismiss/restore-focus.ts';
import { MoreMenu } from '../../ui/overlay/more-menu.tsx';
import { useMenu } from '../../ui/overlay/use-menu.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { writeTable, writeVcards } from './contact-file.ts';
import type { Contact } from '../../data/queries/contact-queries.ts';
import { withPhotos } from './photo-data.ts';
import { i18n } from '../../i18n/i18n.ts';

const FORMATS = {
  vcf: {
    get label() {
      return i18n.t('Export as vCard, for phones');
    },
    type: 'text/vcard',
    write: writeVcards,
  },
  csv: {
    get label() {
      return i18n.t('Export as CSV, for tables');
    },
    type: 'text/csv',
    write: writeTable,
  },
} as const;

/** Saves a file as a browser download. */
function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has started to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function fetchAll(): Promise<Contact[]> {
  const contacts: Contact[] = [];
  for await (const contact of iterate((query) => sdk.contacts.listContacts({ query: { ...query, limit: 100 } })))
    contacts.push(contact);
  return contacts;
}

/** Actions on the whole address book: importing and exporting a file. */
export function ContactsMenu({ is_empty }: { is_empty: boolean }) {
  const menu = useMenu();
  const leaves = useRef(false);
  const { mutate, isPending: is_busy } = useMutation({
    mutationFn: async (format: keyof typeof FORMATS) => {
      const { type, write } = FORMATS[format];
      const contacts = await fetchAll();
      const kept = format === 'vcf' ? await withPhotos(contacts) : contacts;
      download(`contacts.${format}`, type, write(kept));
      return contacts.length;
    },
    onSuccess: (count) =>
      showToast(i18n.t('{count, plural, one {# contact exported.} other {# contacts exported.}}', { count })),
    onError: (error) => showToast(describeProblem(error)),
  });
  return (
    <MoreMenu
      menu={menu}
      label={is_busy ? i18n.t('Exporting…') : i18n.t('Import or export')}
      is_busy={is_busy}
      onCloseAutoFocus={(event) => {
        if (!leaves.current) return;
        // The list with this menu may stay beside the page that was chosen, which gets the focus.
        leaves.current = false;
        event.preventDefault();
        restoreFocus(null);
      }}
    >
      <DropdownMenu.Item className="menu-item" asChild onSelect={() => (leaves.current = true)}>
        <Link to="/contacts/import">
          <FileUp aria-hidden="true" />
          {i18n.t('Import')}
        </Link>
      </DropdownMenu.Item>
      {(is_empty ? [] : (Object.keys(FORMATS) as (keyof typeof FORMATS)[])).map((format) => (
        <DropdownMenu.Item
          key={format}
          className="menu-item"
          onSelect={() => {
            if (!is_busy) mutate(format);
          }}
        >
          <FileDown aria-hidden="true" />
          {FORMATS[format].label}
        </DropdownMenu.Item>
      ))}
    </MoreMenu>
  );
}
