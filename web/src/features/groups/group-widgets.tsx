import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TagSky } from '../../ui/brand/tag-sky.tsx';
import { Row } from '../../ui/row.tsx';
import { KINDS } from '../widgets/widget-draft.ts';
import { groupWidgetsQuery, nameOfWidget } from '../../data/queries/widget-queries.ts';
import type { Group } from '../../data/queries/group-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

/** The widgets whose visitors the members of a group answer; they belong to its owner, who can change them. */
export function GroupWidgets({ group: { id, role } }: { group: Group }) {
  const widgets = useQuery(groupWidgetsQuery(id)).data?.items ?? [];
  if (widgets.length === 0) return null;
  return (
    <section className="card" aria-labelledby="widgets-heading">
      <h2 id="widgets-heading">{i18n.t('Widgets')}</h2>
      <p className="soft small">{i18n.t('Members of this group answer the guests of these widgets in Chats.')}</p>
      <ul>
        {widgets.map((widget) => {
          const shown = (
            <Row
              picture={<TagSky name={widget.tag.name} />}
              title={nameOfWidget(widget)}
              detail={widget.enabled ? KINDS[widget.kind] : i18n.t('{kind}. Off', { kind: KINDS[widget.kind] })}
            />
          );
          return (
            <li key={widget.id} className={role === 'owner' ? undefined : 'row'}>
              {role === 'owner' ? (
                <Link to="/widgets/$widgetId" params={{ widgetId: widget.id }} className="row">
                  {shown}
                </Link>
              ) : (
                shown
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
