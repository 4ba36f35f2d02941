import { describe, expect, it } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { beforeTests } from '../support/before-tests.js';
import { sharedService } from '../support/service.js';

const service = beforeTests(sharedService);

describe('the audit of GraphQL over HTTP by graphql-http', () => {
  const audits = serverAudits({ url: () => `${service.url}/graphql`, fetchFn: fetch });

  it('has more than 50 audits', () => {
    expect(audits.length).toBeGreaterThan(50);
  });

  it.each(audits.map(({ id, name }) => ({ id, name })))('$id $name: passes', async ({ id }) => {
    const result = await audits.find((audit) => audit.id === id)!.fn();
    expect(result).not.toMatchObject({ status: 'error' });
  });
});
