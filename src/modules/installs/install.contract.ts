import { anyone } from '../../auth/policy.js';
import { mutation } from '../../operations/operation.js';
import { Install, RecordInstall } from './install.input.js';
import { InstallReceipt } from './install.types.js';

export const recordInstall = mutation({
  summary:
    'Records an installation of an app. Installations with the same `installationId` are counted once.',
  rest: 'POST /api/apps/:slug/install',
  status: ({ isNew }: InstallReceipt) => (isNew ? 201 : 200),
  unknownFields: 'ignore',
  transaction: 'shared',
  catalog: 'counts',
  limitPer: { limit: 'app-install', field: 'slug' },
  policy: anyone,
  input: RecordInstall,
  grouped: {
    argument: 'input',
    type: 'RecordInstallInput',
    description: 'Details of the installation.',
    fields: Install,
    optional: true,
  },
  output: InstallReceipt,
  errors: ['NOT_FOUND'],
  run: ({ installs }, _caller, input) => installs.record(input),
  runOnce: ({ installs }, _caller, input, key) => installs.recordOnce(input, key),
});
