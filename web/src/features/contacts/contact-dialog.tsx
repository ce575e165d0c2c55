import type { Input } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ComponentProps, RefObject } from 'react';
import { sdk } from '../../asterism.ts';
import { changedFields } from '../../ui/restored-values.ts';
import { useFormDraft, type FormDraft } from '../../data/storage/form-draft.ts';
import { AreaField, Form, TextField } from '../../ui/form.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { RestoredNotice } from '../../ui/restored-notice.tsx';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { contactsKey, type Contact } from '../../data/queries/contact-queries.ts';
import { DetailsFields, useDetails } from './details-fields.tsx';
import { useValues, ValueFields } from './value-fields.tsx';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';

type Draft = Input<'contacts', 'createContact'>['body'];

const PHONE_LABELS = ['mobile', 'home', 'work', 'other'];
const EMAIL_LABELS = ['home', 'work', 'other'];

const SHOWN = ['name', 'tag_name', 'note'];

type ValuesProps = Pick<ComponentProps<typeof ValueFields>, 'values' | 'problems'>;

function PhoneFields(props: ValuesProps) {
  return (
    <ValueFields
      {...props}
      legend={i18n.t('Phone numbers')}
      name="phones"
      nameRow={(number) => (number === 1 ? i18n.t('Phone number') : i18n.t('Phone number {number}', { number }))}
      nameRemove={(number) => i18n.t('Remove phone number {number}', { number })}
      add_label={i18n.t('Add phone number')}
      hint={i18n.t('The first is used for calls.')}
      field={{ type: 'tel' }}
    />
  );
}

function EmailFields(props: ValuesProps) {
  return (
    <ValueFields
      {...props}
      legend={i18n.t('E-mail addresses')}
      name="emails"
      nameRow={(number) => (number === 1 ? i18n.t('E-mail address') : i18n.t('E-mail address {number}', { number }))}
      nameRemove={(number) => i18n.t('Remove e-mail address {number}', { number })}
      add_label={i18n.t('Add e-mail address')}
      field={{ inputMode: 'email', autoCapitalize: 'none' }}
    />
  );
}

/** What the form shows and stores of a contact. */
type Fields = Pick<
  Contact,
  'name' | 'tag_name' | 'note' | 'phones' | 'emails' | 'organization' | 'job_title' | 'birthday' | 'addresses'
>;

/** The state of the form. @param before those of the edited contact, with what was restored */
function useContactFields(before: Partial<Fields> | undefined) {
  const [texts, setTexts] = useState({
    name: before?.name ?? '',
    tag_name: before?.tag_name ?? '',
    note: before?.note ?? '',
  });
  const phones = useValues(before?.phones?.map(({ label, number }) => ({ label, value: number })) ?? [], PHONE_LABELS);
  const emails = useValues(
    before?.emails?.map(({ label, address }) => ({ label, value: address })) ?? [],
    EMAIL_LABELS,
  );
  const details = useDetails(before);
  const set = (part: Partial<typeof texts>) => setTexts({ ...texts, ...part });
  /** What is entered, as it is sent. */
  const read = (): Fields => {
    const tag_name = texts.tag_name.trim().replace(/^\*/, '').toLowerCase();
    return {
      name: texts.name.trim(),
      tag_name: tag_name === '' ? null : tag_name,
      note: texts.note.trim(),
      phones: phones.read().map(({ label, value }) => ({ label, number: value })),
      emails: emails.read().map(({ label, value }) => ({ label, address: value })),
      ...details.read(),
    };
  };
  return { texts, set, phones, emails, details, read };
}

/** Stores what is entered whenever it has changed. */
function useStoredFields({ read }: ReturnType<typeof useContactFields>, store: FormDraft<Fields>['store']): void {
  const now = read();
  const [start] = useState(now);
  const known = useRef(JSON.stringify(now));
  useEffect(() => {
    const text = JSON.stringify(now);
    if (text === known.current) return;
    known.current = text;
    store(changedFields(start, now));
  });
}

interface FormProps {
  /** The edited contact; undefined for a new one. */
  contact: Contact | undefined;
  draft: FormDraft<Fields>;
  onSaved: () => void;
}

function ContactForm({ contact, draft, onSaved }: FormProps) {
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (body: Draft) =>
      contact === undefined
        ? sdk.contacts.createContact({ body })
        : sdk.contacts.editContact({ path: { contact_id: contact.id }, body }),
    onSuccess: async () => {
      draft.drop();
      onSaved();
      await queries.invalidateQueries({ queryKey: contactsKey });
    },
  });
  const fields = useContactFields({ ...contact, ...draft.restored });
  useStoredFields(fields, draft.store);
  const { texts, set, phones, emails, details } = fields;
  const problems = fieldProblems(save.error);
  const of_lines = Object.keys(problems).filter((key) => /^(phones|emails|birthday)/.test(key));
  return (
    <Form
      problem={formProblem(save.error, [...SHOWN, ...of_lines])}
      onDismissed={draft.dismiss}
      onSubmit={() => {
        phones.noteSent();
        emails.noteSent();
        save.mutate(fields.read());
      }}
    >
      <RestoredNotice restored={draft.restored} onDiscard={draft.discard} />
      <TextField
        label={i18n.t('Name')}
        value={texts.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        maxLength={MAX_LENGTH.contact_name}
        required
        error={problems['name']}
      />
      <PhoneFields values={phones} problems={problems} />
      <EmailFields values={emails} problems={problems} />
      <TextField
        label={i18n.t('Tag')}
        prefix={<span className="sigil">*</span>}
        value={texts.tag_name}
        onChange={({ currentTarget }) => set({ tag_name: currentTarget.value })}
        autoCapitalize="none"
        spellCheck={false}
        error={problems['tag_name']}
      />
      <DetailsFields details={details} problems={problems} />
      <AreaField
        label={i18n.t('Note')}
        rows={2}
        value={texts.note}
        onChange={({ currentTarget }) => set({ note: currentTarget.value })}
        error={problems['note']}
      />
      <div className="form-end">
        <button type="submit" className="button primary full-width" aria-disabled={save.isPending}>
          {contact === undefined ? i18n.t('Add contact') : i18n.t('Save')}
        </button>
      </div>
    </Form>
  );
}

interface ContactDialogProps {
  /** The edited contact; undefined for a new one. */
  contact?: Contact;
  onClose: () => void;
  /** The element that is focused when the dialog has closed. */
  returnTo: RefObject<HTMLElement | null>;
}

/** Creates or edits a contact. */
export function ContactDialog({ contact, onClose, returnTo }: ContactDialogProps) {
  const draft = useFormDraft<Fields>(contact === undefined ? 'contact' : `contact ${contact.id}`);
  return (
    <Dialog
      open
      onClose={onClose}
      title={contact === undefined ? i18n.t('New contact') : i18n.t('Edit contact')}
      returnTo={returnTo}
    >
      <ContactForm key={draft.number} contact={contact} draft={draft} onSaved={onClose} />
    </Dialog>
  );
}
