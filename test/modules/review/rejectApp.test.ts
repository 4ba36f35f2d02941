import { describe, expect, it } from '@jest/globals';
import type { AppJson } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { aTime } from '../../support/matchers.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

interface Reason {
  code: string;
  message: string | null;
}
const aReason = { code: 'OTHER', message: 'It will not do.' };

describe('rejectApp over graphql', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const reject = async (input: Record<string, unknown>) => service.callAsAdmin<AppJson>('rejectApp', input);

  it('makes a submission REJECTED with its reasons and guidance, which the developer reads over REST and GraphQL (D17)', async () => {
    const pending = await service.anApp(ada, 'PENDING');
    const outcome = expectSuccess(
      await reject({
        id: pending.id,
        revision: pending.revision,
        reasons: [
          { code: 'IMAGE_QUALITY', field: 'screenshots.0', message: ' It is blurred.\nAll of it. ' },
          { code: 'OTHER', message: 'And so on.' },
          { code: 'POLICY', field: '', message: 'No field.' },
        ],
        guidance: 'Take a sharper picture.',
      }),
    );
    const rejected = {
      ...pending,
      status: 'REJECTED',
      updatedAt: aTime,
      rejection: {
        reasons: [
          { code: 'IMAGE_QUALITY', field: 'screenshots.0', message: 'It is blurred.\nAll of it.' },
          { code: 'OTHER', field: null, message: 'And so on.' },
          { code: 'POLICY', field: null, message: 'No field.' },
        ],
        guidance: 'Take a sharper picture.',
        rejectedAt: aTime,
      },
    };
    expect(outcome).toEqual(rejected);
    const read = await service.client.call('rest', 'myApp', { id: pending.id }, ada.key);
    expect(read.data).toEqual(outcome);
  });

  it('fills a missing message from the catalogue of codes (D97)', async () => {
    const { id, revision } = await service.anApp(ada, 'PENDING');
    const catalogue = await service.client.must<Reason[]>('rejectionReasons');
    const telling = catalogue.filter(({ message }) => message !== null);
    const reasons = telling.map(({ code }, at) => ({ code, ...(at % 2 && { message: null }) }));
    const data = expectSuccess(await reject({ id, revision, reasons, guidance: 'Mend it.' }));
    expect(data.rejection).toMatchObject({
      reasons: telling.map(({ code, message }) => ({ code, field: null, message })),
    });
  });

  it('requires a message with the code OTHER (D97)', async () => {
    const { id, revision } = await service.anApp(ada, 'PENDING');
    const reasons = [{ code: 'SECURITY' }, { code: 'OTHER' }, { code: 'OTHER', field: '', message: null }];
    const outcome = await reject({ id, revision, reasons, guidance: ' ' });
    expectError(outcome, 'VALIDATION_FAILED', [
      'guidance: too_short',
      'reasons.1.message: required',
      'reasons.2.message: required',
    ]);
    expect(outcome.details[0]?.message ?? '').toMatch(/^message is required with the code OTHER: say what/);
  });

  it('keeps the rejection through edits, resubmission and withdrawal, until the next decision (D18)', async () => {
    const { id, rejection } = await service.anApp(ada, 'REJECTED');
    const edited = await service.client.must<AppJson>('updateApp', { id, description: 'More.' }, ada.token);
    expect(edited).toMatchObject({ status: 'REJECTED', revision: 2, rejection });
    expect(await service.client.must('submitApp', { id }, ada.token)).toMatchObject({
      status: 'PENDING',
      rejection,
    });
    expect(await service.client.must('withdrawApp', { id }, ada.token)).toMatchObject({
      status: 'DRAFT',
      rejection,
    });
    await service.client.must('submitApp', { id }, ada.token);
    const again = await reject({ id, revision: 2, reasons: [aReason], guidance: 'Once more.' });
    expect(again.data.rejection).toEqual({
      reasons: [{ ...aReason, field: null }],
      guidance: 'Once more.',
      rejectedAt: aTime,
    });
  });
});
