import { isDay } from './days.ts';
import { i18n } from '../../i18n/i18n.ts';

/** The views of the calendar. */
export type View = 'month' | 'week' | 'agenda';
/** The views with their names. */
export const listViews = (): readonly (readonly [View, string])[] => [
  ['month', i18n.t('Month')],
  ['week', i18n.t('Week')],
  ['agenda', i18n.t('Agenda')],
];

/** The search parameters of the address: a view, and the chosen day. */
export function readView(search: Record<string, unknown>): { view?: View; day?: string } {
  const view = listViews().find(([name]) => name === search['view'])?.[0];
  return { ...(view ? { view } : {}), ...(isDay(search['day']) ? { day: search['day'] } : {}) };
}

/** The occurrence of a series in the address. */
export function readAt(search: Record<string, unknown>): { at?: string | undefined } {
  return typeof search['at'] === 'string' ? { at: search['at'] } : {};
}
