import { account, admin, developer, optionalCaller } from '../../auth/policy.js';
import { Nothing } from '../../operations/input.js';
import { inInput, mutation, query } from '../../operations/operation.js';
import { Developer, DeveloperConnection } from './developer.entity.js';
import {
  DeveloperEdit,
  DeveloperId,
  DeveloperIdAndReason,
  EditDeveloper,
  ListDevelopers,
  RegisterDeveloper,
  UpdateMe,
  VerifyDeveloper,
} from './developer.input.js';
import { Viewer } from './viewer.types.js';

/** Describes the fields of a profile that is changed. */
const changes =
  'Fields of the profile to change. Omitted fields stay as they are; `null` clears an optional field.';

export const registerDeveloper = mutation({
  summary: 'Registers the signed-in account as a developer.',
  rest: 'POST /api/dev/register',
  status: 201,
  limit: 'credentials',
  catalog: 'none',
  policy: account,
  input: RegisterDeveloper,
  grouped: inInput('RegisterDeveloperInput', 'The profile of the new developer.', RegisterDeveloper),
  output: Developer,
  readAgain: true,
  problems: ({ publicLinks }, _caller, valid) => publicLinks.problemsOf(valid),
  errors: ['ACCOUNT_MISMATCH', 'DEVELOPER_EXISTS', 'EMAIL_TAKEN'],
  run: ({ developers }, caller, input) => developers.register(caller, input),
});

export const me = query({
  summary: "Returns the caller's developer profile.",
  rest: 'GET /api/dev/me',
  policy: developer(null, { allowsSuspended: true }),
  input: Nothing,
  output: Developer,
  nullable: true,
  pipelineApp: () => 'any',
  run: ({ developers }, caller) => developers.me(caller),
});

export const viewer = query({
  summary:
    'Returns the account that the credential belongs to, registered as a developer or not. Null without a credential; an invalid one is an error.',
  policy: optionalCaller,
  input: Nothing,
  output: Viewer,
  nullable: true,
  pipelineApp: () => 'any',
  run: ({ developers }, caller) => developers.viewer(caller),
});

export const updateMe = mutation({
  summary: "Changes the given fields of the caller's developer profile.",
  rest: 'PUT /api/dev/me',
  catalog: 'counts',
  policy: developer(null),
  input: UpdateMe,
  grouped: inInput('UpdateMeInput', changes, UpdateMe),
  output: Developer,
  problems: ({ publicLinks }, _caller, valid) => publicLinks.problemsOf(valid),
  errors: ['EMAIL_TAKEN'],
  run: ({ developers }, caller, input) => developers.update(caller, input),
});

export const developers = query({
  summary: 'Lists developers, newest first by default.',
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: ListDevelopers,
  output: DeveloperConnection,
  run: ({ developerAdmin }, _caller, input) => developerAdmin.list(input),
});

const developerById = query({
  summary: 'Returns one developer.',
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: DeveloperId,
  output: Developer,
  nullable: true,
  errors: ['NOT_FOUND'],
  run: ({ developerAdmin }, _caller, { id }) => developerAdmin.get(id),
});

export { developerById as developer };

export const verifyDeveloper = mutation({
  summary: 'Verifies a developer, who can then create API keys and submit apps.',
  policy: admin({ notForOneself: 'developer' }),
  input: VerifyDeveloper,
  output: Developer,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION', 'REVISION_CONFLICT'],
  run: ({ developerAdmin }, caller, input) => developerAdmin.verify(caller, input),
});

export const unverifyDeveloper = mutation({
  summary: 'Revokes the verification of a developer.',
  policy: admin({ ownAllowed: 'It takes rights away.' }),
  input: DeveloperIdAndReason,
  output: Developer,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: ({ developerAdmin }, caller, { id, reason }) => developerAdmin.unverify(caller, id, reason),
});

export const suspendDeveloper = mutation({
  summary: 'Suspends a developer: their API keys stop working and their apps are no longer public.',
  policy: admin({ ownAllowed: 'It takes rights away.' }),
  input: DeveloperIdAndReason,
  output: Developer,
  errors: ['NOT_FOUND'],
  run: ({ developerAdmin }, caller, { id, reason }) => developerAdmin.suspend(caller, id, reason),
});

export const reinstateDeveloper = mutation({
  summary: 'Ends the suspension of a developer, who gets back the status from before it.',
  policy: admin({ notForOneself: 'developer' }),
  input: DeveloperId,
  output: Developer,
  errors: ['NOT_FOUND'],
  run: ({ developerAdmin }, caller, { id }) => developerAdmin.reinstate(caller, id),
});

export const editDeveloper = mutation({
  summary:
    'Changes the profile of a developer on their behalf, with a reason. Unlike the developer, an administrator may give a name that looks like that of another verified developer.',
  policy: admin({ notForOneself: 'developer' }),
  input: EditDeveloper,
  grouped: inInput('EditDeveloperInput', changes, DeveloperEdit),
  output: Developer,
  problems: ({ publicLinks }, _caller, valid) => publicLinks.problemsOf(valid),
  errors: ['NOT_FOUND'],
  run: ({ developerAdmin }, caller, input) => developerAdmin.edit(caller, input),
});
