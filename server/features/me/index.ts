import { feature } from '../../kernel/endpoint.ts';
import { addImIdentity } from './add-im-identity.ts';
import { changePassword } from './change-password.ts';
import { deleteMe } from './delete-me.ts';
import { meUpdated } from './events.ts';
import { getMe } from './get-me.ts';
import { getMobile } from './get-mobile.ts';
import { removeBlob } from './jobs.ts';
import { lifecycle } from './lifecycle.ts';
import { purgeAccount } from './rules/delete-account.ts';
import { listImIdentities } from './list-im-identities.ts';
import { removeImIdentity } from './remove-im-identity.ts';
import { sendMobileCode } from './send-mobile-code.ts';
import { setMobile } from './set-mobile.ts';
import { updateMe } from './update-me.ts';
import { uploadAvatar } from './upload-avatar.ts';
import { verifyMobile } from './verify-mobile.ts';

export const me = feature({
  area: 'me',
  title: 'Your account',
  endpoints: [
    getMe,
    updateMe,
    deleteMe,
    uploadAvatar,
    getMobile,
    setMobile,
    sendMobileCode,
    verifyMobile,
    changePassword,
    listImIdentities,
    addImIdentity,
    removeImIdentity,
  ],
  events: [meUpdated],
  jobs: [removeBlob, purgeAccount],
  lifecycle,
});
