import { endFurtherGuests, purgeWidget, widgetDeleted, widgetUpdated } from '../../domain/widgets/widgets.ts';
import { feature } from '../../kernel/endpoint.ts';
import { createGuest } from './create-guest.ts';
import { createWidget } from './create-widget.ts';
import { deleteWidget } from './delete-widget.ts';
import { editWidget } from './edit-widget.ts';
import { getWidgetEmbed } from './get-widget-embed.ts';
import { widgetsLifecycle } from './lifecycle.ts';
import { listGroupWidgets } from './list-group-widgets.ts';
import { listWidgets } from './list-widgets.ts';

export const widgets = feature({
  area: 'widgets',
  title: 'Widgets',
  endpoints: [listWidgets, createWidget, editWidget, deleteWidget, getWidgetEmbed, listGroupWidgets, createGuest],
  events: [widgetUpdated, widgetDeleted],
  jobs: [endFurtherGuests, purgeWidget],
  lifecycle: widgetsLifecycle,
});
