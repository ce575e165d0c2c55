import { Link } from '@tanstack/react-router';
import { Badge } from '../../ui/badge.tsx';
import { SectionLayout } from '../../ui/section-layout.tsx';
import { useGroupInvites } from '../groups/group-queries.ts';
import { useRequestCount } from './request-count.ts';
import { i18n } from '../../i18n/i18n.ts';

/** The frame of the pages about people: follows, followers, contacts and groups. */
export function PeopleLayout() {
  const requests = useRequestCount();
  const invites = useGroupInvites().items.length;
  return (
    <SectionLayout title={i18n.t('People')}>
      <Link to="/people" className="chip" activeOptions={{ exact: true }}>
        {i18n.t('Following')}
      </Link>
      <Link to="/people/requests" className="chip">
        {i18n.t('Requests')}
        <Badge count={requests} what={i18n.t('waiting')} />
      </Link>
      <Link to="/people/followers" className="chip">
        {i18n.t('Followers')}
      </Link>
      <Link to="/contacts" className="chip">
        {i18n.t('Contacts')}
      </Link>
      <Link to="/groups" className="chip">
        {i18n.t('Groups')}
        <Badge count={invites} what={i18n.t('invites waiting')} />
      </Link>
    </SectionLayout>
  );
}
