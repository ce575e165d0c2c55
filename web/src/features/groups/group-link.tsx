import { useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useRef } from 'react';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { copyText } from '../../ui/overlay/copy-text.ts';
import { ShareButton } from '../../ui/overlay/share/share-button.tsx';
import { Failure } from '../../ui/empty-state.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { SkeletonBlock } from '../../ui/skeleton.tsx';
import type { Group } from '../../data/queries/group-queries.ts';
import { groupLinkQuery, useGroupLink } from './group-link-queries.ts';
import { i18n } from '../../i18n/i18n.ts';
import './groups.css';

/** The invite link of a group, for its owner and admins. */
export function GroupLink({ group: { id, name } }: { group: Group }) {
  const link = useQuery(groupLinkQuery(id));
  const { create, revoke } = useGroupLink(id);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className="card" aria-busy={link.isPending} aria-labelledby="link-heading">
      <h2 id="link-heading" ref={heading} tabIndex={-1}>
        {i18n.t('Invite link')}
      </h2>
      {link.isPending ? (
        <>
          <SkeletonBlock width="80%" />
          <SkeletonBlock width="10rem" height="var(--tap)" />
        </>
      ) : link.data === undefined ? (
        <Failure text={describeProblem(link.error)} onRetry={() => void link.refetch()} />
      ) : link.data === null ? (
        <>
          <p className="soft">{i18n.t('Let people join who aren’t among your contacts.')}</p>
          <div className="cluster">
            <button
              type="button"
              className="button quiet"
              disabled={create.isPending}
              onClick={() => create.mutate(undefined, { onSuccess: () => heading.current?.focus() })}
            >
              {i18n.t('Create invite link')}
            </button>
          </div>
        </>
      ) : (
        <>
          <p className="group-link" dir="ltr">
            {link.data.url}
          </p>
          <p className="soft small">{i18n.t('Everyone who has this link can join, until you revoke it.')}</p>
          <div className="cluster">
            <CopyButton url={link.data.url} />
            <ShareButton
              address={link.data.url}
              title={i18n.t('Join {name}', { name })}
              label={i18n.t('QR code of the invite link of {name}', { name })}
            />
            <Confirm
              title={i18n.t('Revoke the invite link?')}
              text={i18n.t('No one can join by it any more. Those who have joined stay.')}
              action={i18n.t('Revoke link')}
              onConfirm={() => revoke.mutate()}
              returnTo={heading}
              trigger={
                <button type="button" className="button danger" disabled={revoke.isPending}>
                  {i18n.t('Revoke link')}
                </button>
              }
            />
          </div>
        </>
      )}
    </section>
  );
}

function CopyButton({ url }: { url: string }) {
  return (
    <button type="button" className="button quiet" onClick={() => void copyText(url, i18n.t('Link copied.'))}>
      <Copy aria-hidden="true" />
      {i18n.t('Copy')}
    </button>
  );
}
