import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { type IssuedJson, sharedWebhooks } from './webhooks.js';

const page = readFileSync('docs/webhooks.md', 'utf8');
const [, example = ''] = /^```js\n([\s\S]*?)^```$/m.exec(page) ?? [];

let folder: string;
let receiver: ChildProcess | undefined;
const hooks = beforeTests(sharedWebhooks);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhook-receiver-'));
  await writeFile(join(folder, 'receiver.mjs'), example);
  // As after `npm install standardwebhooks`.
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  if (receiver?.exitCode === null && receiver.kill()) await once(receiver, 'close');
  await rm(folder, { recursive: true });
});

/** A port of this machine that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

describe('the receiver of docs/webhooks.md', () => {
  it('works as pasted: on this machine, over http, it verifies a test and a real event, and rejects forgeries (D164)', async () => {
    const port = await freePort();
    const ada = await hooks.service.aDeveloper({ name: 'Ada Lovelace' });
    const url = `http://127.0.0.1:${port}/`;
    const { id, secret } = await hooks.service.client.must<IssuedJson>(
      'createWebhookEndpoint',
      { url },
      ada.token,
    );
    let output = '';
    receiver = spawn(process.execPath, ['receiver.mjs'], {
      cwd: folder,
      env: { RECEIVER_PORT: String(port), WEBHOOK_SECRET: secret },
    });
    for (const stream of [receiver.stdout, receiver.stderr])
      stream?.setEncoding('utf8').on('data', (piece: string) => {
        output += piece;
      });
    await until(() => output.includes('the receiver is ready'));

    await hooks.service.client.must('testWebhookEndpoint', { id }, ada.token);
    await hooks.delivery(ada, id, (each) => each.type === 'webhook.test' && each.status === 'DELIVERED');
    const { name } = await hooks.anEvent(ada);
    await hooks.delivery(ada, id, (each) => each.type === 'app.submitted' && each.status === 'DELIVERED');
    await until(() => output.includes(`verified: app.submitted for Ada Lovelace, app ${name}\n`));
    expect(output).toContain('verified: webhook.test for Ada Lovelace, app none\n');

    const forged = await fetch(url, { method: 'POST', body: '{}', headers: { 'webhook-id': 'x' } });
    expect(forged.status).toBe(401);
    await until(() => output.includes('rejected: '));
    expect(output).not.toContain('Error');
  });
});
