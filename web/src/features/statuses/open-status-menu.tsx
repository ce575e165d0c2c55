import type { Status } from '@asterism/sdk';
import { useQuery } from '@tanstack/react-query';
import { Ban, Flag, History, Pencil, Trash2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { sdk } from '../../asterism.ts';
import { ConfirmDialog } from '../../ui/overlay/confirm.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { useMenu } from '../../ui/overlay/use-menu.ts';
import { When } from '../../ui/when.tsx';
import { BlockDialog } from '../blocks/block-dialog.tsx';
import { MuteItem } from '../blocks/mute-item.tsx';
import { ReportDialog } from '../blocks/report-dialog.tsx';
import { nameOf } from '../../ui/avatar.tsx';
import { useDeleteStatus } from './status-mutations.ts';
import { StatusMenuIcon } from './status-menu-icon.tsx';
import type { StatusMenuProps } from './status-menu-icon.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';
import { statusHistoryKey } from '../../data/queries/status-queries.ts';

type Asking = 'history' | 'delete' | 'block' | 'report' | undefined;

/** Earlier versions of a status, for its author; the newest first. */
function Earlier({ post_id }: { post_id: string }) {
  const status = useQuery({
    queryKey: statusHistoryKey(post_id),
    queryFn: ({ signal }) => sdk.statuses.getStatus({ path: { post_id }, signal }),
    staleTime: 0,
  });
  if (status.isPending) return <p className="soft">{i18n.t('Loading earlier versions…')}</p>;
  if (status.isError) return <p className="field-error">{describeProblem(status.error)}</p>;
  const edits = (status.data.edits ?? []).toReversed();
  return (
    <ol className="list history">
      {edits.map(({ body, replaced_at }) => (
        <li key={replaced_at + body}>
          <div className="list-main">
            <p className="rich-text" dir="auto">
              {body}
            </p>
            <p className="soft small">
              <RichMessage text={i18n.t('until <when></when>')} parts={{ when: () => <When at={replaced_at} /> }} />
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}

function OwnItems({
  status,
  onEdit,
  ask,
}: Pick<StatusMenuProps, 'status' | 'onEdit'> & { ask: (what: Asking) => void }) {
  return (
    <>
      <DropdownMenu.Item className="menu-item" onSelect={onEdit}>
        <Pencil aria-hidden="true" />
        {i18n.t('Edit')}
      </DropdownMenu.Item>
      {status.edited_at === null ? null : (
        <DropdownMenu.Item className="menu-item" onSelect={() => ask('history')}>
          <History aria-hidden="true" />
          {i18n.t('Earlier versions')}
        </DropdownMenu.Item>
      )}
      <DropdownMenu.Item className="menu-item" onSelect={() => ask('delete')}>
        <Trash2 aria-hidden="true" />
        {i18n.t('Delete')}
      </DropdownMenu.Item>
    </>
  );
}

function OthersItems({ status, ask }: { status: Status; ask: (what: Asking) => void }) {
  return (
    <>
      <MuteItem person={status.author} />
      <DropdownMenu.Item className="menu-item" onSelect={() => ask('report')}>
        <Flag aria-hidden="true" />
        {i18n.t('Report this post')}
      </DropdownMenu.Item>
      <DropdownMenu.Item className="menu-item" onSelect={() => ask('block')}>
        <Ban aria-hidden="true" />
        {i18n.t('Block @{username}', { username: status.author.username })}
      </DropdownMenu.Item>
    </>
  );
}

/** The menu of a status, initially open, with the dialogs of its items. */
export function OpenStatusMenu({ status, is_mine, trigger, onEdit }: StatusMenuProps) {
  const menu = useMenu({ is_open: true });
  const remove = useDeleteStatus();
  const [asking, ask] = useState<Asking>();
  const close = () => ask(undefined);
  return (
    <>
      <DropdownMenu.Root {...menu.root}>
        <DropdownMenu.Trigger
          {...menu.trigger}
          ref={(button) => {
            menu.trigger.ref.current = button;
            trigger.current = button;
          }}
          className="icon-button"
        >
          <StatusMenuIcon status={status} />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content {...menu.content} className="menu" align="end" sideOffset={4} collisionPadding={12}>
            {is_mine ? (
              <OwnItems status={status} onEdit={onEdit} ask={ask} />
            ) : (
              <OthersItems status={status} ask={ask} />
            )}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <Dialog open={asking === 'history'} onClose={close} title={i18n.t('Earlier versions')} returnTo={trigger}>
        <Earlier post_id={status.id} />
      </Dialog>
      <ConfirmDialog
        open={asking === 'delete'}
        onClose={close}
        returnTo={trigger}
        title={i18n.t('Delete this post?')}
        text={i18n.t('Its replies and pictures go with it. This can’t be undone.')}
        action={i18n.t('Delete')}
        onConfirm={() => remove.mutate(status)}
      />
      <BlockDialog person={status.author} open={asking === 'block'} onClose={close} returnTo={trigger} />
      <ReportDialog
        target={{
          type: 'status',
          id: status.id,
          name: i18n.t('this post by {name}', { name: nameOf(status.author) }),
        }}
        open={asking === 'report'}
        onClose={close}
        returnTo={trigger}
      />
    </>
  );
}
