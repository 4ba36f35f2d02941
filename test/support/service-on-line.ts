import type { Logger } from 'pino';
import { DatabaseLine } from './database-line.js';
import { type Service, startService } from './service.js';

/** A service whose connections to the database go through a line that can be cut. */
export interface ServiceOnLine extends Service {
  readonly line: DatabaseLine;
}

/** As startService(), on a line. With `records: false` it keeps no statements. */
export async function startServiceOnLine(
  settings: Record<string, string> = {},
  log?: Logger,
  { records = true, ...options }: Parameters<typeof startService>[2] & { records?: boolean } = {},
): Promise<ServiceOnLine> {
  let line: DatabaseLine | undefined;
  const databaseVia = async (url: string) => {
    line = await DatabaseLine.to(url, { records });
    return line.url;
  };
  const service = await startService(settings, log, { ...options, databaseVia });
  const { close: closeService } = service;
  const close = async () => {
    await line?.mend();
    await closeService();
    await line?.cut();
  };
  return Object.assign(service, { line: line!, close, [Symbol.asyncDispose]: close });
}
