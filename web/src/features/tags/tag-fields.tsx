/** The fields that creating and editing a tag have in common. */
import type { Tag } from '@asterism/sdk';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';
import { SelectField, TextField } from '../../ui/form.tsx';
import { WHO_FINDS } from './tag-visibility.ts';

interface FieldsProps {
  /** The tag that is edited; none while one is created. */
  readonly tag?: Tag;
  /** The errors of the fields, by their names. */
  readonly problems: Readonly<Record<string, string>>;
}

/** The name of a tag, with its sigil in front. */
export function NameField({ tag, problems, label, hint }: FieldsProps & { label: string; hint: string }) {
  return (
    <TextField
      label={label}
      name="name"
      prefix={<span className="sigil">*</span>}
      defaultValue={tag?.name}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      minLength={2}
      maxLength={MAX_LENGTH.tag_name}
      required
      error={problems['name']}
      hint={hint}
    />
  );
}

export function TitleField({ tag, problems }: FieldsProps) {
  return (
    <TextField
      label={i18n.t('Title')}
      name="title"
      defaultValue={tag?.title}
      autoComplete="off"
      maxLength={MAX_LENGTH.tag_title}
      error={problems['title']}
    />
  );
}

/** Who may find and follow a tag. */
export function AudienceFields({ tag, problems }: FieldsProps) {
  return (
    <>
      <SelectField
        label={i18n.t('Who can find it')}
        name="visibility"
        defaultValue={tag?.visibility}
        error={problems['visibility']}
      >
        {Object.entries(WHO_FINDS).map(([visibility, words]) => (
          <option key={visibility} value={visibility}>
            {words}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={i18n.t('Who may follow')}
        name="follow_policy"
        defaultValue={tag?.follow_policy}
        error={problems['follow_policy']}
      >
        <option value="open">{i18n.t('Everyone')}</option>
        <option value="approval">{i18n.t('People you let in')}</option>
      </SelectField>
    </>
  );
}
