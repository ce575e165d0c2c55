import { useQuery } from '@tanstack/react-query';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { describeProblem, hasCode } from '../../ui/problems/problem.ts';
import { openInviteQuery } from './invite-queries.ts';
import { i18n } from '../../i18n/i18n.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';

/** Who sent the invite by which somebody registers, and their message. */
export function InvitedBy({ token }: { token: string }) {
  const invite = useQuery(openInviteQuery(token));
  if (invite.isPending) return null;
  if (invite.data === undefined) {
    return (
      <p className="notice" role="status">
        {hasCode(invite.error, 'gone') || hasCode(invite.error, 'not_found')
          ? i18n.t('This invite has ended. You can still create an account.')
          : describeProblem(invite.error)}
      </p>
    );
  }
  if (invite.data.kind !== 'invite') return null;
  const { inviter, message } = invite.data;
  return (
    <div className="invited">
      <Avatar name={inviter.username} called={nameOf(inviter)} url={inviter.avatar_url} />
      <div className="list-main">
        <p>
          <RichMessage
            text={i18n.t('<name>{name}</name> invites you, and will be among your contacts.', {
              name: nameOf(inviter),
            })}
            parts={{ name: (words) => <strong dir="auto">{words}</strong> }}
          />
        </p>
        {message === null ? null : (
          <blockquote dir="auto" className="soft">
            {message}
          </blockquote>
        )}
      </div>
    </div>
  );
}
