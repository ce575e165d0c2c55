import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Copy } from 'lucide-react';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { Failure } from '../../ui/empty-state.tsx';
import { useFieldsDraft } from '../../data/storage/form-draft.ts';
import { Form } from '../../ui/form.tsx';
import { RestoredNotice } from '../../ui/restored-notice.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { MissingPage } from '../../ui/problems/missing-page.tsx';
import { Page } from '../../ui/page.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { describeProblem, fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { Switch } from '../../ui/switch.tsx';
import { showToast } from '../../ui/overlay/toast.tsx';
import { copyText } from '../../ui/overlay/copy-text.ts';
import { draftOf, KINDS, settingsOf } from './widget-draft.ts';
import type { WidgetDraft } from './widget-draft.ts';
import { WidgetSettings } from './widget-form.tsx';
import { useDeleteWidget, useEditWidget } from './widget-mutations.ts';
import { WidgetPreview } from './widget-preview.tsx';
import { embedQuery, nameOfWidget, widgetsQuery } from '../../data/queries/widget-queries.ts';
import type { Widget } from '../../data/queries/widget-queries.ts';
import './widgets.css';
import { i18n } from '../../i18n/i18n.ts';

/** The embedding code. */
function Snippet({ widget }: { widget: Widget }) {
  const embed = useQuery(embedQuery(widget.id));
  return (
    <section className="card" aria-labelledby="snippet-heading">
      <h2 id="snippet-heading">{i18n.t('Add it to your page')}</h2>
      {embed.isError ? <Failure text={describeProblem(embed.error)} onRetry={() => void embed.refetch()} /> : null}
      {embed.data === undefined ? null : (
        <>
          <p className="soft small">
            {i18n.t('Paste this code just before the closing body tag of your page. It contains no secret.')}
          </p>
          <pre className="snippet" tabIndex={0} aria-label={i18n.t('Embed code')}>
            {embed.data.html}
          </pre>
          <div className="cluster">
            <button
              type="button"
              className="button primary"
              onClick={() => void copyText(embed.data.html, i18n.t('Copied.'))}
            >
              <Copy aria-hidden="true" />
              {i18n.t('Copy code')}
            </button>
            {widget.kind === 'chat' ? (
              <Link to="/messages" className="button quiet">
                {i18n.t('See its chats')}
              </Link>
            ) : null}
          </div>
        </>
      )}
    </section>
  );
}

function Edit({ widget }: { widget: Widget }) {
  const {
    fields: draft,
    restored,
    set: change,
    reset,
    drop,
  } = useFieldsDraft<WidgetDraft>(`widget ${widget.id}`, draftOf(widget));
  const edit = useEditWidget(widget.id);
  const problems = fieldProblems(edit.error);
  const shown = ['title', 'group_id', ...Object.keys(problems).filter((name) => name.startsWith('allowed_origins'))];
  const save = () => {
    if (edit.isPending) return;
    edit.mutate(settingsOf(draft), {
      onSuccess: () => {
        drop();
        showToast(i18n.t('Saved. Pages show it from now on.'));
      },
    });
  };
  return (
    <section className="card" aria-labelledby="edit-heading">
      <h2 id="edit-heading">{i18n.t('How it looks')}</h2>
      <div className="builder">
        <Form problem={formProblem(edit.error, shown)} onSubmit={save}>
          <RestoredNotice restored={restored} onDiscard={reset} />
          <WidgetSettings draft={draft} problems={problems} onChange={change} />
          <button type="submit" className="button primary" aria-disabled={edit.isPending}>
            {i18n.t('Save')}
          </button>
        </Form>
        <WidgetPreview draft={draft} />
      </div>
    </section>
  );
}

function State({ widget }: { widget: Widget }) {
  const edit = useEditWidget(widget.id);
  const remove = useDeleteWidget(widget.id);
  const navigate = useNavigate();
  const onError = (error: unknown) => showToast(describeProblem(error));
  return (
    <section className="card" aria-label={i18n.t('State')}>
      <Switch
        label={i18n.t('Active')}
        hint={i18n.t('When off, its guests are signed out at once, and it says that it is turned off.')}
        on={widget.enabled}
        onSwitch={() => edit.mutate({ enabled: !widget.enabled }, { onError })}
      />
      <div className="cluster">
        <Confirm
          title={i18n.t('Delete {name}?', { name: nameOfWidget(widget) })}
          text={i18n.t('Pages that embed it stop showing it, and what guests wrote is deleted. This can’t be undone.')}
          action={i18n.t('Delete')}
          onConfirm={() => remove.mutate(undefined, { onError, onSuccess: () => void navigate({ to: '/widgets' }) })}
          trigger={
            <button type="button" className="button danger" disabled={remove.isPending}>
              {i18n.t('Delete the widget')}
            </button>
          }
        />
      </div>
    </section>
  );
}

/** One widget: its embedding code, its settings with a preview, and its deletion. */
export function WidgetPage() {
  const { widgetId } = useParams({ from: '/signed-in/reading/own/widgets/$widgetId' });
  const widgets = useQuery(widgetsQuery);
  // What is above the form is loaded before it is shown, so that the form does not move.
  const { isPending: is_embed_pending } = useQuery(embedQuery(widgetId));
  const widget = widgets.data?.items.find(({ id }) => id === widgetId);
  const back = <BackLink to="/widgets">{i18n.t('All widgets')}</BackLink>;
  if (widgets.isPending || (widget !== undefined && is_embed_pending))
    return <PageSkeleton back={back} what={i18n.t('Loading the widget')} />;
  if (widget === undefined)
    return (
      <MissingPage
        back={back}
        error={widgets.error}
        onRetry={() => void widgets.refetch()}
        what={i18n.t('Widget')}
        title={i18n.t('Widget not found')}
        text={i18n.t('It may have been deleted, or it isn’t yours.')}
      >
        <Link to="/widgets" className="button primary">
          {i18n.t('All widgets')}
        </Link>
      </MissingPage>
    );
  return (
    <Page title={nameOfWidget(widget)} back={back}>
      <p className="soft">{i18n.t('{kind} of *{name}', { kind: KINDS[widget.kind], name: widget.tag.name })}</p>
      <Snippet widget={widget} />
      <Edit key={widget.id} widget={widget} />
      <State widget={widget} />
    </Page>
  );
}
