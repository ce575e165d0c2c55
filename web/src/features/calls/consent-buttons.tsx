import { i18n } from '../../i18n/i18n.ts';

interface ConsentButtonsProps {
  /** The answer being sent. */
  readonly answer: { readonly isPending: boolean; mutate(agreed: boolean): void };
}

/** The two answers to being recorded. */
export function ConsentButtons({ answer: { isPending, mutate } }: ConsentButtonsProps) {
  return (
    <>
      <button type="button" className="button primary" disabled={isPending} onClick={() => mutate(true)}>
        {i18n.t('Record me')}
      </button>
      <button type="button" className="button quiet" disabled={isPending} onClick={() => mutate(false)}>
        {i18n.t('Don’t record me')}
      </button>
    </>
  );
}
