import type { Reply } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Flag } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { sdk } from '../../asterism.ts';
import { replyDraftName, useDraftText } from '../../data/draft-text.ts';
import { useList } from '../../data/lists.ts';
import { ListFailure } from '../../ui/problems/list-failure.tsx';
import { nameOf } from '../../ui/avatar.tsx';
import { LineComposer } from '../../ui/line-composer.tsx';
import { More } from '../../ui/more.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { ResponseItem } from '../statuses/response-item.tsx';
import { showToast } from '../../ui/overlay/toast.tsx';
import { MoreMenu } from '../../ui/overlay/more-menu.tsx';
import { useMenu } from '../../ui/overlay/use-menu.ts';
import { ReportDialog } from '../blocks/report-dialog.tsx';
import { useMe } from '../../data/queries/me-query.ts';
import { AutocompleteArea } from '../autocomplete/autocomplete-area.tsx';
import { dropComment, cacheComment, type Comment } from './comment-list.ts';
import { commentsKey } from '../../data/queries/profile-queries.ts';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';

type Profile = Reply<'profiles', 'getProfile'>;

function CommentMenu({ comment }: { comment: Comment }) {
  const menu = useMenu();
  const [is_reporting, setReporting] = useState(false);
  const name = i18n.t('this comment by {name}', { name: nameOf(comment.author) });
  return (
    <>
      <MoreMenu menu={menu} label={i18n.t('More about {name}', { name })}>
        <DropdownMenu.Item className="menu-item" onSelect={() => setReporting(true)}>
          <Flag aria-hidden="true" />
          {i18n.t('Report this comment')}
        </DropdownMenu.Item>
      </MoreMenu>
      <ReportDialog
        target={{ type: 'comment', id: comment.id, name }}
        open={is_reporting}
        onClose={() => setReporting(false)}
        returnTo={menu.trigger.ref}
      />
    </>
  );
}

interface CommentItemProps {
  comment: Comment;
  is_mine: boolean;
  may_delete: boolean;
  onDelete: () => void;
}

function CommentItem({ comment, is_mine, may_delete, onDelete }: CommentItemProps) {
  const name = nameOf(comment.author);
  return (
    <ResponseItem
      response={comment}
      author={<strong dir="auto">{name}</strong>}
      deletion={
        may_delete
          ? {
              label: i18n.t('Delete this comment by {name}', { name }),
              question: i18n.t('Delete this comment?'),
              onDelete,
            }
          : undefined
      }
      menu={is_mine ? null : <CommentMenu comment={comment} />}
    />
  );
}

function useCommentMutations({ tag }: Profile) {
  const queries = useQueryClient();
  const post = useMutation({
    mutationFn: (body: string) => sdk.profiles.postComment({ path: { xtag: tag.name }, body: { body } }),
    onSuccess: (comment) => cacheComment(queries, comment),
  });
  const remove = useMutation({
    mutationFn: (comment: Comment) => sdk.profiles.deleteComment({ path: { xtag: tag.name, comment_id: comment.id } }),
    onMutate: (comment) => dropComment(queries, tag.id, comment.id),
    onError: (error, comment) => {
      cacheComment(queries, comment);
      showToast(i18n.t('Couldn’t delete the comment. {problem}', { problem: describeProblem(error) }));
    },
  });
  return { post, remove };
}

/** The comments on a profile, newest first, and a composer. */
export function Comments({ profile }: { profile: Profile }) {
  const me = useMe();
  const { tag, comments_open } = profile;
  const { post, remove } = useCommentMutations(profile);
  const draft = useDraftText(replyDraftName(tag.id));
  const list = useList<Comment>({
    queryKey: commentsKey(tag.id),
    load: (query, signal) => sdk.profiles.listComments({ path: { xtag: tag.name }, query, signal }),
  });
  return (
    <section className="card" aria-labelledby="comments-heading">
      <h2 id="comments-heading">{i18n.t('Comments')}</h2>
      {comments_open || tag.is_mine ? (
        <LineComposer
          key={draft.first}
          draft={draft}
          label={i18n.t('Your comment')}
          action={i18n.t('Comment')}
          maxLength={MAX_LENGTH.comment}
          Area={AutocompleteArea}
          pending={post.isPending}
          error={post.error}
          onSend={(body, onTaken) => post.mutate(body, { onSuccess: onTaken })}
        />
      ) : (
        <p className="soft">{i18n.t('Comments are turned off for this profile.')}</p>
      )}
      <ListFailure list={list} />
      {list.isSuccess && list.items.length === 0 ? <p className="soft">{i18n.t('No comments yet.')}</p> : null}
      <ul className="replies">
        {list.items.map((comment) => (
          <CommentItem
            key={comment.id}
            comment={comment}
            is_mine={comment.author.id === me?.id}
            may_delete={comment.author.id === me?.id || tag.is_mine}
            onDelete={() => remove.mutate(comment)}
          />
        ))}
      </ul>
      <More list={list} what={i18n.t('comments')} />
    </section>
  );
}
