import { describe, expect, it } from '@jest/globals';
import { pathOf, requirePrograms } from './support/programs.js';

describe('the programs of the cluster tests', () => {
  it('are all installed', () => {
    expect(() => requirePrograms()).not.toThrow();
    expect(pathOf('patroni')).toMatch(/\/patroni$/);
  });

  it('name the command that installs what is missing', () => {
    expect(() => requirePrograms(['/nowhere'])).toThrow(
      'apt-get install -y --no-install-recommends etcd-server haproxy libfaketime patroni pgbouncer postgresql prometheus',
    );
    expect(() => pathOf('haproxy', ['/nowhere'])).toThrow(
      /missing: haproxy\. Install them with\n\n {2}apt-get install -y --no-install-recommends haproxy\n/,
    );
  });
});
