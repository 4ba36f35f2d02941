import { describe, expect, it } from '@jest/globals';
import { RejectionCode } from '../../../src/modules/listings/rejection.types.js';
import { beforeTests } from '../../support/before-tests.js';
import { sharedService } from '../../support/service.js';

interface Entry {
  code: string;
  message: string | null;
}

describe('rejectionReasons over graphql', () => {
  const service = beforeTests(sharedService);

  it('lists every code for anyone, with a sentence that says what is wrong and what to do; OTHER has none (D97)', async () => {
    const catalogue = await service.client.must<Entry[]>('rejectionReasons');
    expect(catalogue.map(({ code }) => code)).toEqual(Object.values(RejectionCode));
    for (const { code, message } of catalogue) {
      if (code === 'OTHER') expect(message).toBeNull();
      else expect(message).toMatch(/^[A-Z][^.:]+: [^.:]+\.$/);
    }
  });

  it('says the same as the documentation of the codes', async () => {
    const query = '{ __type(name: "RejectionCode") { enumValues { name description } } }';
    type Answer = { __type: { enumValues: { name: string; description: string }[] } };
    const { __type } = await service.client.queryData<Answer>(query, {}, null);
    const catalogue = await service.client.must<Entry[]>('rejectionReasons');
    expect(__type.enumValues).toEqual(
      catalogue.map(({ code, message }) => ({
        name: code,
        description: message ?? 'Something else: it needs a message of its own.',
      })),
    );
  });
});
