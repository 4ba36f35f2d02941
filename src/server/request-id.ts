import { currentExchange } from './request-context.js';

/** The id of the request that is being served; empty outside of one. */
export const requestId = (): string => currentExchange()?.id ?? '';
