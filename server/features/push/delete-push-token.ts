import { endpoint } from '../../kernel/endpoint.ts';
import { invalid } from '../../kernel/errors.ts';
import { object, optional, Type } from '../../kernel/schema.ts';
import { deleteDevice } from './queries.ts';
import { hashDevice } from './schemas.ts';

export const deletePushToken = endpoint({
  id: 'deletePushToken',
  route: 'DELETE /push-token',
  summary: 'Unregister a device',
  description: 'By default the device of this session.',
  extension: true,
  body: object({
    token: optional(Type.String({ minLength: 1, maxLength: 4096 })),
    endpoint: optional(
      Type.String({ minLength: 1, maxLength: 2000, description: 'The endpoint of a web push subscription.' }),
    ),
  }),
  async run({ caller, body, ...change }) {
    const { token, endpoint: address } = body;
    if (token !== undefined && address !== undefined) invalid({ endpoint: 'cannot be combined with a token' });
    const name = token ?? address;
    await deleteDevice(change, caller, name === undefined ? undefined : hashDevice(name));
  },
});
