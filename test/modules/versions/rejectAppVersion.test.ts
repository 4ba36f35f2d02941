import { describe, expect, it } from '@jest/globals';
import { aRejection, type VersionJson } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { aTime } from '../../support/matchers.js';
import { expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

describe('rejectAppVersion over graphql', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const reject = async (id: string, input: Input = aRejection(1)) =>
    service.callAsAdmin<VersionJson>('rejectAppVersion', { id, ...input });

  it('stores the reasons and the guidance, and leaves the live listing unchanged (D18, D26)', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING');
    const { data: live } = await service.client.call('rest', 'app', { slug: app.slug });
    expect(expectSuccess(await reject(version.id))).toMatchObject({
      status: 'REJECTED',
      revision: 1,
      decidedAt: aTime,
      rejection: {
        reasons: [{ code: 'INCOMPLETE', field: 'description', message: 'It says too little.' }],
        guidance: 'Say what it does.',
        rejectedAt: aTime,
      },
    });
    expect((await service.client.call('rest', 'app', { slug: app.slug })).data).toEqual(live);
    expect(await service.client.must('myApp', { id: app.id }, ada.token)).toEqual(app);
  });
});
