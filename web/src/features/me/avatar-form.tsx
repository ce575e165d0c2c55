import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { sdk } from '../../asterism.ts';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { describeFileProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { meQuery } from '../../data/queries/me-query.ts';
import type { Me } from '../../data/queries/me-query.ts';
import { i18n } from '../../i18n/i18n.ts';

const MAX_BYTES = 5 * 1024 * 1024;

/** The profile picture, and a button to replace it. */
export function AvatarForm({ me }: { me: Me }) {
  const id = useId();
  const queries = useQueryClient();
  const upload = useMutation({
    mutationFn: (file: File) => sdk.me.uploadAvatar({ file }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: meQuery.queryKey });
      showToast(i18n.t('Your picture was changed.'));
    },
    onError: (error) => {
      showToast(describeFileProblem(error));
    },
  });
  const choose = (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > MAX_BYTES) showToast(i18n.t('This picture is larger than 5 MB. Choose a smaller one.'));
    else upload.mutate(file);
  };
  return (
    <section className="card" aria-label={i18n.t('Picture')}>
      <div className="cluster">
        <Avatar name={me.username} called={nameOf(me)} url={me.avatar_url} size_px={72} />
        <div className="list-main">
          <p>
            <strong dir="auto">{nameOf(me)}</strong>
          </p>
          <p className="soft small">{i18n.t('A picture of up to 5 MB.')}</p>
        </div>
        <label className="button quiet file-button" htmlFor={id}>
          {upload.isPending ? i18n.t('Sending…') : i18n.t('Choose a picture')}
          <input
            id={id}
            className="visually-hidden"
            type="file"
            accept="image/*"
            disabled={upload.isPending}
            onChange={(event) => choose(event.target.files?.[0])}
          />
        </label>
      </div>
    </section>
  );
}
