import { useQuery } from '@tanstack/react-query';
import { Phone } from 'lucide-react';
import { mobileQuery } from '../../data/queries/me-query.ts';
import { useStartCall } from '../../data/start-call.ts';
import { formatPhone, readPhone } from '../../i18n/phone-number.ts';
import type { ReadPhone } from '../../i18n/phone-number.ts';
import { Row } from '../../ui/row.tsx';
import { i18n } from '../../i18n/i18n.ts';

/** The phone number that was typed instead of a name; undefined for any other text. */
export function useFoundPhone(typed: string): ReadPhone | undefined {
  const has_digits = /(\d\D*){3}/.test(typed);
  const own = useQuery({ ...mobileQuery, enabled: has_digits }).data?.mobile_number ?? undefined;
  return readPhone(typed, own);
}

/** A phone number among the results, with a button to call it. */
export function FoundPhone({ phone: { number, country } }: { phone: ReadPhone }) {
  const start = useStartCall('audio');
  const shown = formatPhone(number);
  return (
    <section className="card found-phone" aria-label={i18n.t('Phone number')}>
      <div className="row">
        <Row
          picture={
            <span className="row-sign" aria-hidden="true">
              <Phone />
            </span>
          }
          title={shown}
          detail={country}
          end={
            <button
              type="button"
              className="button primary small"
              aria-label={i18n.t('Call {name}', { name: shown })}
              disabled={start.isPending}
              onClick={() => start.mutate([{ phone: number }])}
            >
              {i18n.t('Call')}
            </button>
          }
        />
      </div>
      <p className="soft small">{i18n.t('The minutes count towards your plan.')}</p>
    </section>
  );
}
