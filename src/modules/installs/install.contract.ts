import { anyone } from '../../auth/policy.js';
import { mutation } from '../../operations/operation.js';
import { RecordInstall } from './install.input.js';
import { InstallReceipt } from './install.types.js';

export const recordInstall = mutation({
  summary: 'Records an installation of an app; the same installationId counts once.',
  rest: 'POST /api/apps/:slug/install',
  status: ({ isNew }: InstallReceipt) => (isNew ? 201 : 200),
  unknownFields: 'ignore',
  transaction: 'shared',
  catalog: 'counts',
  policy: anyone,
  input: RecordInstall,
  output: InstallReceipt,
  errors: ['NOT_FOUND'],
  run: ({ installs }, _caller, input) => installs.record(input),
});
