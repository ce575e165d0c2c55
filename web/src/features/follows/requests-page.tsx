import type { FollowRequest } from '@asterism/sdk';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { sdk } from '../../asterism.ts';
import { useList } from '../../data/lists.ts';
import { ListFailure } from '../../ui/problems/list-failure.tsx';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { TagName } from '../../ui/brand/brand.tsx';
import { useListBeside } from '../../ui/hooks/use-list-beside.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { More } from '../../ui/more.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { When } from '../../ui/when.tsx';
import { PersonLink } from '../../ui/person-link.tsx';
import { PersonMenu } from '../blocks/person-menu.tsx';
import { useCancelRequest, useDecide } from './follow-mutations.ts';
import { declinedKey, incomingKey, outgoingKey } from '../../data/queries/follow-queries.ts';
import type { Decision } from './follow-mutations.ts';
import './follows.css';
import { i18n } from '../../i18n/i18n.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';

const CHOICES: Readonly<Record<'pending' | 'declined', readonly { action: Decision; words: string }[]>> = {
  pending: [
    {
      action: 'accept',
      get words() {
        return i18n.t('Accept');
      },
    },
    {
      action: 'decline',
      get words() {
        return i18n.t('Decline');
      },
    },
  ],
  declined: [
    {
      action: 'undo',
      get words() {
        return i18n.t('Undo');
      },
    },
  ],
};

/** The buttons of a request; keyboard focus stays here when a pressed button is replaced by others. */
function Decisions({ request }: { request: FollowRequest }) {
  const decide = useDecide();
  const place = useRef<HTMLDivElement>(null);
  const was_pressed = useRef(false);
  const { state } = request;
  useEffect(() => {
    if (!was_pressed.current) return;
    was_pressed.current = false;
    (place.current?.querySelector('button') ?? place.current)?.focus();
  }, [state]);
  const choices = state === 'pending' || state === 'declined' ? CHOICES[state] : [];
  return (
    <div ref={place} className="follow-decisions" tabIndex={-1}>
      {state === 'accepted' ? (
        <span className="chip" data-tone="ok">
          {i18n.t('Accepted')}
        </span>
      ) : null}
      {state === 'declined' ? <span className="chip">{i18n.t('Declined')}</span> : null}
      {choices.map(({ action, words }) => (
        <button
          key={action}
          type="button"
          className={action === 'accept' ? 'button primary' : 'button quiet'}
          onClick={() => {
            was_pressed.current = true;
            decide.mutate({ request, action });
          }}
        >
          {words}
          <span className="visually-hidden"> {nameOf(request.user)}</span>
        </button>
      ))}
    </div>
  );
}

function Incoming({ request }: { request: FollowRequest }) {
  return (
    <li className="follow-request">
      <Avatar name={request.user.username} called={nameOf(request.user)} url={request.user.avatar_url} />
      <div className="list-main">
        <p>
          <RichMessage
            text={i18n.t('<name>{name}</name> requested to follow *{tag}', {
              name: nameOf(request.user),
              tag: request.tag.name,
            })}
            parts={{ name: () => <PersonLink person={request.user} /> }}
          />
        </p>
        {request.message === '' ? null : (
          <p className="quote" dir="auto">
            {request.message}
          </p>
        )}
        <When at={request.created_at} />
      </div>
      <Decisions request={request} />
      <PersonMenu person={request.user} />
    </li>
  );
}

/** A request of the reader, which they can cancel. */
function Outgoing({ request }: { request: FollowRequest }) {
  const cancel = useCancelRequest();
  const beside = useListBeside();
  const { tag } = request;
  return (
    <li>
      <div className="list-main">
        <p>
          <Link to="/t/$name" params={{ name: tag.name }} state={beside} className="tag-link">
            <TagName name={tag.name} />
          </Link>
          {tag.title === '' ? null : <span className="soft small"> {tag.title}</span>}
        </p>
        <p className="soft small">
          <RichMessage
            text={i18n.t('Requested <when></when>')}
            parts={{ when: () => <When at={request.created_at} className="" /> }}
          />
        </p>
      </div>
      <button
        type="button"
        className="button quiet"
        aria-label={i18n.t('Cancel the request to *{name}', { name: tag.name })}
        onClick={() => cancel.mutate(request)}
      >
        {i18n.t('Cancel')}
      </button>
    </li>
  );
}

interface SectionProps {
  id: string;
  title: string;
  what: string;
  list: ReturnType<typeof useList<FollowRequest>>;
  children: (request: FollowRequest) => ReactNode;
}

/** One kind of requests; nothing when there are none. */
function Section({ id, title, what, list, children }: SectionProps) {
  if (list.isPending) return <Skeleton what={title} />;
  if (list.isSuccess && list.items.length === 0) return null;
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ListFailure list={list} />
      <ul className="list">{list.items.map(children)}</ul>
      <More list={list} what={what} />
    </section>
  );
}

/** Follow requests: pending ones, ones that the reader has declined, and the reader's own. */
export function RequestsPage() {
  const incoming = useList<FollowRequest>({
    queryKey: incomingKey,
    load: (query, signal) => sdk.follows.listFollowRequests({ query, signal }),
  });
  const declined = useList<FollowRequest>({
    queryKey: declinedKey,
    load: (query, signal) => sdk.follows.listFollowRequests({ query: { ...query, state: 'declined' }, signal }),
  });
  const outgoing = useList<FollowRequest>({
    queryKey: outgoingKey,
    load: (query, signal) => sdk.follows.listOutgoingFollowRequests({ query, signal }),
  });
  const is_empty = [incoming, declined, outgoing].every(({ isSuccess, items }) => isSuccess && items.length === 0);
  if (is_empty)
    return (
      <EmptyState
        title={i18n.t('No requests')}
        text={i18n.t('Requests to follow a tag appear here, yours and those of others.')}
      >
        <Link to="/search" className="button primary">
          {i18n.t('Find people')}
        </Link>
      </EmptyState>
    );
  return (
    <>
      <Section id="incoming-heading" title={i18n.t('Follow requests')} what={i18n.t('requests')} list={incoming}>
        {(request) => <Incoming key={request.id} request={request} />}
      </Section>
      <Section id="outgoing-heading" title={i18n.t('Requests you sent')} what={i18n.t('requests')} list={outgoing}>
        {(request) => <Outgoing key={request.id} request={request} />}
      </Section>
      {declined.items.length === 0 ? null : (
        <Section id="declined-heading" title={i18n.t('Declined')} what={i18n.t('requests')} list={declined}>
          {(request) => <Incoming key={request.id} request={request} />}
        </Section>
      )}
    </>
  );
}
