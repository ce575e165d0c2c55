/** Why a connection to a call has ended, in words. */
import { DisconnectReason } from 'livekit-client';
import { describeProblem } from '../../../ui/problems/problem.ts';
import type { RoomState } from '../media/use-room.ts';
import { i18n } from '../../../i18n/i18n.ts';
import type { ClosedSession } from './call-session.ts';

type Explanation = Pick<ClosedSession, 'title' | 'text' | 'again'>;

/** The explanation of a call that is over. */
export const explainCallEnded = (): Explanation => ({
  title: i18n.t('The call has ended'),
  text: i18n.t('The host ended it, or everyone left.'),
  again: i18n.t('Try again'),
});

function describeConnection(problem: unknown): string {
  const ours = problem instanceof Error && (problem.name === 'ApiError' || problem.name === 'NetworkError');
  return ours
    ? describeProblem(problem)
    : i18n.t('The media server didn’t answer. Check the connection and try again.');
}

/** Why the media server ended a connection. */
function describeEnd(reason: DisconnectReason | undefined): Explanation {
  switch (reason) {
    case DisconnectReason.PARTICIPANT_REMOVED:
      return {
        title: i18n.t('You were removed from the call'),
        text: i18n.t('The host removed you.'),
        again: i18n.t('Join again'),
      };
    case DisconnectReason.ROOM_DELETED:
    case DisconnectReason.ROOM_CLOSED:
      return explainCallEnded();
    case DisconnectReason.SERVER_SHUTDOWN:
      return {
        title: i18n.t('The media server is restarting'),
        text: i18n.t('You can continue in a moment.'),
        again: i18n.t('Join again'),
      };
    default:
      return {
        title: i18n.t('The connection was lost'),
        text: i18n.t('The media server couldn’t be reached any more. Check your network.'),
        again: i18n.t('Join again'),
      };
  }
}

/** The explanation of an ended connection; undefined while it is not. */
export function explainEnd(state: RoomState): Explanation | undefined {
  if (typeof state === 'string') return undefined;
  if ('problem' in state)
    return {
      title: i18n.t('You couldn’t be connected'),
      text: describeConnection(state.problem),
      again: i18n.t('Try again'),
    };
  if (state.ended === DisconnectReason.DUPLICATE_IDENTITY)
    return {
      title: i18n.t('Your call is on another device'),
      text: i18n.t('You joined from another window or device, where the call goes on.'),
      again: i18n.t('Continue here'),
    };
  return describeEnd(state.ended);
}

/** Whether somebody whose connection has ended may connect again without being admitted again. */
export function mayRejoin(state: RoomState): boolean {
  if (typeof state === 'string') return false;
  if ('problem' in state) return true;
  const { PARTICIPANT_REMOVED, ROOM_DELETED, ROOM_CLOSED } = DisconnectReason;
  return ![PARTICIPANT_REMOVED, ROOM_DELETED, ROOM_CLOSED].some((reason) => reason === state.ended);
}
