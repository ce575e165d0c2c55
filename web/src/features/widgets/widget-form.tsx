import { useList } from '../../data/lists.ts';
import { sdk } from '../../asterism.ts';
import { AreaField, SelectField, TextField } from '../../ui/form.tsx';
import type { Group } from '../../data/queries/group-queries.ts';
import { groupsKey } from '../../data/queries/group-queries.ts';
import { SegmentedControl } from '../location/segmented-control.tsx';
import { KINDS } from './widget-draft.ts';
import type { WidgetDraft } from './widget-draft.ts';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';
import { useTagList } from '../../data/queries/tag-queries.ts';

const MODES = {
  get auto() {
    return i18n.t('Match the page');
  },
  get light() {
    return i18n.t('Light');
  },
  get dark() {
    return i18n.t('Dark');
  },
} as const;
const SIDES = {
  get left() {
    return i18n.t('Left side');
  },
  get right() {
    return i18n.t('Right side');
  },
} as const;

interface PartProps {
  draft: WidgetDraft;
  problems: Readonly<Record<string, string>>;
  onChange: (part: Partial<WidgetDraft>) => void;
}

/** The kind and tag of a widget, which are fixed after its creation. */
export function WidgetKind({ draft, problems, onChange }: PartProps) {
  const tags = useTagList();
  return (
    <>
      <SegmentedControl
        label={i18n.t('What it does')}
        options={KINDS}
        value={draft.kind}
        onChange={(kind) => onChange({ kind })}
      />
      <SelectField
        label={i18n.t('Tag')}
        value={draft.tag_id}
        error={problems['tag_id']}
        onChange={(event) => {
          const tag = tags.items.find(({ id }) => id === event.target.value);
          onChange({ tag_id: tag?.id ?? '', tag_name: tag?.name ?? '', tag_title: tag?.title ?? '' });
        }}
      >
        <option value="">{i18n.t('Choose a tag')}</option>
        {tags.items.map(({ id, name }) => (
          <option key={id} value={id}>
            *{name}
          </option>
        ))}
      </SelectField>
    </>
  );
}

function Colour({ draft, onChange }: Omit<PartProps, 'problems'>) {
  return (
    <div className="colour">
      <label>
        <input
          type="color"
          value={draft.accent ?? '#2c3480'}
          onChange={(event) => onChange({ accent: event.target.value })}
        />
        {i18n.t('Colour')}
      </label>
      {draft.accent === null ? null : (
        <button type="button" className="button plain" onClick={() => onChange({ accent: null })}>
          {i18n.t('Default')}
        </button>
      )}
    </div>
  );
}

/** The settings of a widget that can be changed at any time. */
export function WidgetSettings({ draft, problems, onChange }: PartProps) {
  const groups = useList<Group>({
    queryKey: groupsKey,
    load: (query, signal) => sdk.groups.listGroups({ query, signal }) as Promise<{ items: Group[]; has_more: boolean }>,
  });
  const origins = Object.entries(problems).find(([name]) => name.startsWith('allowed_origins'))?.[1];
  return (
    <>
      <TextField
        label={i18n.t('Title')}
        value={draft.title}
        maxLength={MAX_LENGTH.widget_title}
        dir="auto"
        error={problems['title']}
        hint={i18n.t('Optional. Shown on the button.')}
        onChange={(event) => onChange({ title: event.target.value })}
      />
      <AreaField
        label={i18n.t('Allowed pages')}
        value={draft.origins}
        rows={3}
        dir="ltr"
        placeholder="https://shop.example"
        error={origins}
        hint={i18n.t('One address per line, such as https://shop.example. Only these pages can show it.')}
        onChange={(event) => onChange({ origins: event.target.value })}
      />
      {groups.items.length === 0 ? null : (
        <SelectField
          label={i18n.t('Who answers')}
          value={draft.group_id ?? ''}
          error={problems['group_id']}
          onChange={(event) => onChange({ group_id: event.target.value || null })}
        >
          <option value="">{i18n.t('Only you')}</option>
          {groups.items.map(({ id, name }) => (
            <option key={id} value={id}>
              {i18n.t('You and {name}', { name })}
            </option>
          ))}
        </SelectField>
      )}
      <SegmentedControl
        label={i18n.t('Light or dark')}
        options={MODES}
        value={draft.mode}
        onChange={(mode) => onChange({ mode })}
      />
      <SegmentedControl
        label={i18n.t('Side')}
        options={SIDES}
        value={draft.position}
        onChange={(position) => onChange({ position })}
      />
      <Colour draft={draft} onChange={onChange} />
    </>
  );
}
