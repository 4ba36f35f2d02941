import type { Pool } from 'pg';
import type { Db } from 'pg-boss';
import type { DatabaseListener } from './listen.js';

/** Executes pg-boss's statements in a pool of ours, and listens for it. */
export const queueDatabase = (pool: Pool, listener: DatabaseListener | null): Db => ({
  executeSql: (text, values) => pool.query(text, values),
  ...(listener && {
    listen: async (channel, onNotification, onReconnect) => {
      const effectOfLoss = 'jobs are found by polling only';
      const close = listener.subscribe({ channel, effectOfLoss, onNotification, onConnected: onReconnect });
      return { close: async () => close() };
    },
  }),
});
