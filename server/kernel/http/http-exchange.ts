import type { FastifyReply } from 'fastify';
import type { Endpoint } from '../endpoint.ts';
import type { Services } from '../services.ts';

/** A request (`reply.request`) and its answer, while an operation is run for it. */
export type Exchange = { endpoint: Endpoint; services: Services; reply: FastifyReply };
