import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { EmptyState, Failure } from '../../ui/empty-state.tsx';
import { useFieldsDraft } from '../../data/storage/form-draft.ts';
import { Form } from '../../ui/form.tsx';
import { RestoredNotice } from '../../ui/restored-notice.tsx';
import { GoBack } from '../../ui/back-link.tsx';
import { Page } from '../../ui/page.tsx';
import { describeProblem, fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { Row } from '../../ui/row.tsx';
import { Sheet } from '../../ui/overlay/sheet/sheet.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TagSky } from '../../ui/brand/tag-sky.tsx';
import { KINDS, settingsOf } from './widget-draft.ts';
import type { WidgetDraft } from './widget-draft.ts';
import { WidgetKind, WidgetSettings } from './widget-form.tsx';
import { useCreateWidget } from './widget-mutations.ts';
import { WidgetPreview } from './widget-preview.tsx';
import { nameOfWidget, widgetsQuery } from '../../data/queries/widget-queries.ts';
import type { Widget } from '../../data/queries/widget-queries.ts';
import './widgets.css';
import { i18n } from '../../i18n/i18n.ts';

function WidgetRow({ widget }: { widget: Widget }) {
  const { id, tag, kind, enabled, allowed_origins } = widget;
  const pages =
    allowed_origins.length === 1
      ? (allowed_origins[0] ?? '')
      : i18n.t('{count, plural, one {# page} other {# pages}}', { count: allowed_origins.length });
  return (
    <li>
      <Link to="/widgets/$widgetId" params={{ widgetId: id }} className="row">
        <Row
          picture={<TagSky name={tag.name} />}
          title={nameOfWidget(widget)}
          detail={
            enabled
              ? i18n.t('{kind} on {pages}', { kind: KINDS[kind], pages })
              : i18n.t('{kind} on {pages}. Off', { kind: KINDS[kind], pages })
          }
        />
      </Link>
    </li>
  );
}

const EMPTY: WidgetDraft = {
  tag_id: '',
  tag_name: '',
  tag_title: '',
  kind: 'chat',
  title: '',
  accent: null,
  mode: 'auto',
  position: 'right',
  group_id: null,
  origins: '',
};
const SHOWN = ['tag_id', 'title', 'group_id', 'allowed_origins'];

function Builder({ onClose }: { onClose: () => void }) {
  const { fields: draft, restored, set: change, reset, drop, dismiss } = useFieldsDraft<WidgetDraft>('widget', EMPTY);
  const create = useCreateWidget();
  const navigate = useNavigate();
  const problems = fieldProblems(create.error);
  const shown = [...SHOWN, ...Object.keys(problems).filter((name) => name.startsWith('allowed_origins'))];
  const make = () => {
    if (create.isPending) return;
    const { tag_id, kind } = draft;
    create.mutate(
      { tag_id, kind, ...settingsOf(draft) },
      {
        onSuccess: ({ id }) => {
          drop();
          void navigate({ to: '/widgets/$widgetId', params: { widgetId: id } });
        },
      },
    );
  };
  return (
    <Sheet open onClose={onClose} title={i18n.t('New widget')} width_px={920}>
      <div className="builder">
        <Form problem={formProblem(create.error, shown)} onSubmit={make} onDismissed={dismiss}>
          <RestoredNotice restored={restored} onDiscard={reset} />
          <WidgetKind draft={draft} problems={problems} onChange={change} />
          <WidgetSettings draft={draft} problems={problems} onChange={change} />
          <div className="form-end">
            <button type="submit" className="button primary full-width" aria-disabled={create.isPending}>
              {i18n.t('Create widget')}
            </button>
          </div>
        </Form>
        <WidgetPreview draft={draft} />
      </div>
    </Sheet>
  );
}

/** The reader's widgets: a tag's chat, call or follow button on other websites. */
export function WidgetsPage() {
  const widgets = useQuery(widgetsQuery);
  const [is_making, setMaking] = useState(false);
  const items = widgets.data?.items ?? [];
  return (
    <Page
      title={i18n.t('Widgets')}
      back={<GoBack to="/settings" />}
      intro={i18n.t('A tag on your website: visitors can write, call or follow without an account.')}
      actions={
        <button type="button" className="button quiet small" onClick={() => setMaking(true)}>
          <Plus aria-hidden="true" />
          {i18n.t('New widget')}
        </button>
      }
    >
      {widgets.isPending ? <Skeleton rows={3} what={i18n.t('Loading your widgets')} /> : null}
      {widgets.isError ? (
        <Failure text={describeProblem(widgets.error)} onRetry={() => void widgets.refetch()} />
      ) : null}
      {widgets.isSuccess && items.length === 0 ? (
        <EmptyState title={i18n.t('No widgets yet')} text={i18n.t('Put a chat on your website. It takes a minute.')}>
          <button type="button" className="button primary" onClick={() => setMaking(true)}>
            {i18n.t('Create a widget')}
          </button>
        </EmptyState>
      ) : null}
      <ul className="widgets">
        {items.map((widget) => (
          <WidgetRow key={widget.id} widget={widget} />
        ))}
      </ul>
      {is_making ? <Builder onClose={() => setMaking(false)} /> : null}
    </Page>
  );
}
