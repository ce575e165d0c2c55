import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { i18n } from '../../i18n/i18n.ts';
import { languageOf, languages } from '@asterism/sdk';
import { SelectField } from '../../ui/form.tsx';
import { showToast } from '../../ui/overlay/toast.tsx';
import { describeProblem } from '../../ui/problems/problem.ts';
import { meQuery, type Me } from '../../data/queries/me-query.ts';

/** The language of the client, stored in the account and used on every device. */
export function LanguageSetting({ me }: { me: Me }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (locale: string) => sdk.me.updateMe({ body: { locale } }),
    onSuccess: ({ locale }) => queries.setQueryData(meQuery.queryKey, (known) => known && { ...known, locale }),
    onError: (error) => showToast(describeProblem(error)),
  });
  return (
    <section className="card" aria-labelledby="language-heading">
      <h2 id="language-heading">{i18n.t('Language')}</h2>
      <SelectField
        label={i18n.t('Language of the pages')}
        hint={i18n.t('Also used for dates and numbers. What people write isn’t translated.')}
        value={change.isPending ? change.variables : (languageOf(me.locale) ?? 'en')}
        onChange={({ currentTarget }) => change.mutate(currentTarget.value)}
      >
        {Object.entries(languages).map(([language, name]) => (
          <option key={language} value={language} lang={language}>
            {name}
          </option>
        ))}
      </SelectField>
    </section>
  );
}
