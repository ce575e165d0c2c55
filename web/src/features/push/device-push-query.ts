import { queryOptions } from '@tanstack/react-query';
import { readDevicePush } from './device-push.ts';

/** Whether this device receives pushes. */
export const devicePushQuery = queryOptions({ queryKey: ['device-push'], queryFn: readDevicePush, staleTime: 0 });
