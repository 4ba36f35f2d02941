import { beforeAll, describe, expect, it } from '@jest/globals';
import { Shell } from '../browser/shell.js';
import type { AppJson } from '../support/actors.js';
import { duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';

describe('the tour of the home page', () => {
  let steps: string[];
  const service = duringTests(startService);
  const shell = duringTests(() => new Shell());
  beforeAll(async () => {
    const page = await (await service.client.request('GET', '/')).text();
    steps = [...page.matchAll(/<pre tabindex="0"><code>([\s\S]*?)<\/code><\/pre>/g)].map(([, code = '']) =>
      code.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
    );
  });

  it('leads to a public app at the address of the service, and does so again', async () => {
    const [list = '', register = '', key = '', submit = '', install = ''] = steps;
    expect(list).toContain(`URL=${service.url}\n`);
    await shell.paste(list);

    const registered = JSON.parse(await shell.paste(register));
    await service.administer('verifyDeveloper', { id: registered.id });
    for (const slug of ['hello-tasks', 'hello-tasks-2']) {
      expect(await shell.paste(key)).toBe('');
      const app: AppJson = JSON.parse(await shell.paste(submit));
      expect(app).toMatchObject({ slug, status: 'PENDING' });
      await service.administer('approveApp', { id: app.id, revision: app.revision });
      expect(await shell.paste(install)).toContain(`{"slug":"${slug}","installCount":1}`);
      expect(await shell.paste(register)).toContain('"code":"DEVELOPER_EXISTS"');
    }
  });
});
