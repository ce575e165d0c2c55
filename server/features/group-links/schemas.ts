import { component, object, Type } from '../../kernel/schema.ts';

/** The address by which people join a group. */
export const GroupLink = component('GroupLink', object({ url: Type.String() }));
