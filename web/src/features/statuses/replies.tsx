import type { Status } from '@asterism/sdk';
import { sdk } from '../../asterism.ts';
import { replyDraftName, useDraftText } from '../../data/draft-text.ts';
import { useList } from '../../data/lists.ts';
import { ListFailure } from '../../ui/problems/list-failure.tsx';
import { nameOf } from '../../ui/avatar.tsx';
import { LineComposer } from '../../ui/line-composer.tsx';
import { ResponseItem } from './response-item.tsx';
import { AutocompleteArea } from '../autocomplete/autocomplete-area.tsx';
import { PersonMenu } from '../blocks/person-menu.tsx';
import { useDeleteReply, usePostReply } from './status-mutations.ts';
import { repliesKey } from '../../data/queries/status-queries.ts';
import { PersonLink } from '../../ui/person-link.tsx';
import type { StatusReply } from './status-cache.ts';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';

function ReplyItem({ reply, may_delete, is_mine }: { reply: StatusReply; may_delete: boolean; is_mine: boolean }) {
  const remove = useDeleteReply();
  const name = nameOf(reply.author);
  return (
    <ResponseItem
      response={reply}
      author={<PersonLink person={reply.author} />}
      deletion={
        may_delete
          ? {
              label: i18n.t('Delete this reply by {name}', { name }),
              question: i18n.t('Delete this reply?'),
              onDelete: () => remove.mutate(reply),
            }
          : undefined
      }
      menu={is_mine ? null : <PersonMenu person={reply.author} />}
    />
  );
}

function ReplyForm({ status }: { status: Status }) {
  const post = usePostReply(status.id);
  const draft = useDraftText(replyDraftName(status.id));
  return (
    <LineComposer
      key={draft.first}
      draft={draft}
      label={i18n.t('Reply to {name}', { name: nameOf(status.author) })}
      action={i18n.t('Send reply')}
      maxLength={MAX_LENGTH.reply}
      Area={AutocompleteArea}
      pending={post.isPending}
      error={post.error}
      onSend={(body, onTaken) => post.mutate(body, { onSuccess: onTaken })}
    />
  );
}

/** The replies to a status, oldest first, and a composer. */
export function Replies({ status, me_id }: { status: Status; me_id: string | undefined }) {
  const list = useList<StatusReply>({
    queryKey: repliesKey(status.id),
    load: (query, signal) => sdk.statuses.listReplies({ path: { post_id: status.id }, query, signal }),
  });
  return (
    <section className="replies" aria-label={i18n.t('Replies to {name}', { name: nameOf(status.author) })}>
      {list.isPending ? <p className="soft small">{i18n.t('Loading replies…')}</p> : null}
      <ListFailure list={list} />
      {list.hasNextPage ? (
        <button
          type="button"
          className="text-button"
          aria-disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {i18n.t('Earlier replies')}
        </button>
      ) : null}
      <ul>
        {list.items.toReversed().map((reply) => (
          <ReplyItem
            key={reply.id}
            reply={reply}
            is_mine={reply.author.id === me_id}
            may_delete={reply.author.id === me_id || status.author.id === me_id}
          />
        ))}
      </ul>
      <ReplyForm status={status} />
    </section>
  );
}
