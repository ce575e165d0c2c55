import { Mail, MessageSquareText, RotateCcw, X } from 'lucide-react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../data/lists.ts';
import { EmptyState, Failure } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { GoBack } from '../../ui/back-link.tsx';
import { Page } from '../../ui/page.tsx';
import { formatPhone } from '../../i18n/phone-number.ts';
import { describeProblem } from '../../ui/problems/problem.ts';
import { Row } from '../../ui/row.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/overlay/toast.tsx';
import { InviteForm } from './invite-form.tsx';
import { invitesKey, useCreateInvite, useRevokeInvite } from './invite-queries.ts';
import type { Invite } from './invite-queries.ts';
import './invites.css';
import { TagLink } from './tag-link.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { formatDate } from '../../i18n/format.ts';

const shortDate = (at: string) => formatDate(at, { day: 'numeric', month: 'short' });

/** The state of an invite, as text. */
function describeState({ state, accepted_by, created_at, expires_at }: Invite): string {
  if (state === 'accepted')
    return accepted_by === null
      ? i18n.t('Accepted')
      : i18n.t('Accepted by @{username}', { username: accepted_by.username });
  if (state === 'revoked') return i18n.t('Cancelled');
  if (state === 'expired') return i18n.t('Expired on {date}', { date: shortDate(expires_at) });
  return i18n.t('Sent on {sent}, valid until {end}', { sent: shortDate(created_at), end: shortDate(expires_at) });
}

function InviteItem({ invite }: { invite: Invite }) {
  const { channel, message, state } = invite;
  const to = formatPhone(invite.to);
  const revoke = useRevokeInvite();
  const create = useCreateInvite();
  const again = () => {
    if (create.isPending) return;
    create.mutate(
      { channel, to: invite.to, ...(message === null ? {} : { message }) },
      {
        onSuccess: () => showToast(i18n.t('Invited {to} again. An invite is sent at most once a day.', { to })),
        onError: (error) => showToast(describeProblem(error)),
      },
    );
  };
  const Picture = channel === 'email' ? Mail : MessageSquareText;
  return (
    <li className="row invite" data-state={state}>
      <Row
        picture={
          <span className="row-sign">
            <Picture aria-hidden="true" />
          </span>
        }
        title={to}
        detail={describeState(invite)}
        end={
          state === 'accepted' ? null : (
            <span className="invite-actions">
              <button type="button" className="icon-button" aria-disabled={create.isPending} onClick={again}>
                <RotateCcw aria-hidden="true" />
                <span className="visually-hidden">{i18n.t('Send to {to} again', { to })}</span>
              </button>
              {state === 'sent' ? (
                <button type="button" className="icon-button" onClick={() => revoke.mutate(invite)}>
                  <X aria-hidden="true" />
                  <span className="visually-hidden">{i18n.t('Cancel the invite to {to}', { to })}</span>
                </button>
              ) : null}
            </span>
          )
        }
      />
    </li>
  );
}

function Sent() {
  const list = useList<Invite>({
    queryKey: invitesKey,
    load: (query, signal) => sdk.invites.listMyInvites({ query, signal }),
  });
  return (
    <section className="card" aria-labelledby="sent-heading">
      <h2 id="sent-heading">{i18n.t('Your invites')}</h2>
      {list.isPending ? <Skeleton rows={3} what={i18n.t('Loading your invites')} /> : null}
      {list.isError ? <Failure text={describeProblem(list.error)} onRetry={() => void list.refetch()} /> : null}
      {list.isSuccess && list.items.length === 0 ? (
        <EmptyState
          level={3}
          title={i18n.t('No invites yet')}
          text={i18n.t('People who accept your invite are added to your contacts.')}
        />
      ) : null}
      <ul className="invites">
        {list.items.map((invite) => (
          <InviteItem key={invite.id} invite={invite} />
        ))}
      </ul>
      <More list={list} what={i18n.t('invites')} />
    </section>
  );
}

/** Invites people, and lists sent invites. */
export function InvitesPage() {
  return (
    <Page title={i18n.t('Invite people')} back={<GoBack to="/settings" />}>
      <InviteForm />
      <TagLink />
      <Sent />
    </Page>
  );
}
