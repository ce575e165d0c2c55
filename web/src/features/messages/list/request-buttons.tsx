import type { Thread } from '@asterism/sdk';
import { i18n } from '../../../i18n/i18n.ts';
import { useAnswer } from '../message-mutations.ts';

/**
 * The buttons that accept and decline a message request.
 * @param name the sender, for screen readers, where several requests are listed
 */
export function RequestButtons({ thread, name }: { thread: Thread; name?: string }) {
  const answer = useAnswer();
  const sender = name === undefined ? null : <span className="visually-hidden"> {name}</span>;
  const give = (word: 'accept' | 'decline') => {
    if (!answer.isPending) answer.mutate({ thread, word });
  };
  return (
    <>
      <button type="button" className="button primary" aria-disabled={answer.isPending} onClick={() => give('accept')}>
        {i18n.t('Accept')}
        {sender}
      </button>
      <button type="button" className="button quiet" aria-disabled={answer.isPending} onClick={() => give('decline')}>
        {i18n.t('Decline')}
        {sender}
      </button>
    </>
  );
}
