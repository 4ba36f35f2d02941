import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Service, startService } from './support/service.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, script]) => script!);

describe('the commands of the README', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  it('lead from an account to a public app, with curl and with GraphQL', async () => {
    expect(blocks).toHaveLength(2);
    const script = `set -eu\n${blocks.join('\n')}`.replaceAll('http://127.0.0.1:4000', service.url);
    const { stdout } = await promisify(execFile)('bash', ['-c', script]);
    expect(stdout).not.toContain('"error');
    expect(stdout).toContain('PENDING');
    expect(stdout).toContain('{"slug":"maya-counts","installCount":1}');
    expect(stdout).toContain(
      '{"installCount":1,"reviewCount":0,"averageRating":0,"status":"APPROVED","featured":false}',
    );
    expect(stdout).toContain(
      '"browseApps":{"apps":[{"slug":"grace-compiles","name":"Grace Compiles","developer":{"name":"Grace"}}]',
    );
    expect(stdout).toContain('"appAnalytics":{"installCount":1,"status":"APPROVED","featured":false}');
    expect(stdout).toContain('"appRatings":{"totalCount":1,"edges":[{"node":{"rating":5,"title":"Fast",');
  });
});
