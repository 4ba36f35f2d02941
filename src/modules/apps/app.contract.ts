import { admin, developer, developerOrAdmin } from '../../auth/policy.js';
import { Scope } from '../../auth/scope.js';
import { Nothing } from '../../operations/input.js';
import { inInput, mutation, query, subscription } from '../../operations/operation.js';
import { administratorsOnly } from '../events/event.types.js';
import { App } from '../listings/app.entity.js';
import { AppChanges, AppId, CreateApp, graphqlOnlyFields } from '../listings/listing.input.js';
import { movesQueue } from '../review/queue.rules.js';
import { AdminAppFilter, AppSlug, DeleteApp, ListAdminApps, SubmitApp, UpdateApp } from './app.input.js';
import { AppChange, DeletedApp, DeveloperAppConnection } from './app.types.js';

const revision = (app: App) => app.revision;
/** The app that an input is about, for keys of pipelines. */
const byId = async (_services: unknown, { id }: { id: string }) => id;

export const createApp = mutation({
  summary: 'Creates an app as a draft.',
  rest: 'POST /api/dev/apps',
  status: 201,
  revision,
  catalog: 'none',
  policy: developer(Scope.APP_CREATE),
  input: CreateApp,
  graphqlFields: graphqlOnlyFields,
  grouped: inInput(
    'CreateAppInput',
    'The app to create. Images are URLs: nothing is uploaded here, so host the files on a public server of your own.',
    CreateApp,
  ),
  output: App,
  readAgain: true,
  problems: ({ publicLinks }, _caller, valid) => publicLinks.problemsOf(valid),
  errors: ['QUOTA_EXCEEDED'],
  run: ({ apps }, caller, input) => apps.create(caller, input),
});

export const myApps = query({
  summary: "Lists the caller's apps, newest first.",
  rest: 'GET /api/dev/apps',
  collection: 'apps',
  policy: developer(Scope.APP_READ),
  input: Nothing,
  output: [App],
  pipelineApp: () => 'any',
  run: ({ ownApps }, caller) => ownApps.list(caller),
});

export const myApp = query({
  summary: "Returns one of the caller's apps.",
  rest: 'GET /api/dev/apps/:id',
  revision,
  policy: developer(Scope.APP_READ),
  input: AppId,
  output: App,
  nullable: true,
  errors: ['NOT_FOUND'],
  pipelineApp: byId,
  run: ({ apps }, caller, { id }) => apps.get(caller, id),
});

export const myAppBySlug = query({
  summary: "Returns one of the caller's apps by its slug, in any state.",
  policy: developer(Scope.APP_READ),
  input: AppSlug,
  output: App,
  nullable: true,
  errors: ['NOT_FOUND'],
  pipelineApp: ({ apps }, { slug }) => apps.idOfSlug(slug),
  run: ({ apps }, caller, { slug }) => apps.getBySlug(caller, slug),
});

export const updateApp = mutation({
  summary: 'Changes the given fields of an app that is not public.',
  rest: 'PUT /api/dev/apps/:id',
  revision,
  catalog: 'none',
  policy: developer(Scope.APP_UPDATE),
  input: UpdateApp,
  graphqlFields: graphqlOnlyFields,
  grouped: inInput(
    'UpdateAppInput',
    'Fields of the app to change. Omitted fields stay as they are; `null` clears an optional field.',
    AppChanges,
  ),
  output: App,
  problems: ({ publicLinks }, _caller, valid) => publicLinks.problemsOf(valid),
  errors: ['NOT_FOUND', 'APP_APPROVED', 'APP_SUSPENDED', 'REVISION_CONFLICT', 'QUOTA_EXCEEDED'],
  pipelineApp: byId,
  prepare: ({ apps }, caller, { id, expectedRevisions: _, ...changes }) =>
    apps.checkBeforeUpdate(caller, id, changes),
  run: ({ apps }, caller, { id, expectedRevisions, ...changes }, checked) =>
    apps.update(caller, id, changes, expectedRevisions, checked),
});

export const submitApp = mutation({
  summary: 'Submits an app for review.',
  rest: 'POST /api/dev/apps/:id/submit',
  revision,
  catalog: 'none',
  policy: developer(Scope.APP_UPDATE, { mustBeVerified: true }),
  input: SubmitApp,
  output: App,
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'INVALID_TRANSITION', 'REVISION_CONFLICT', 'QUOTA_EXCEEDED'],
  pipelineApp: byId,
  prepare: ({ apps }, caller, { id }) => apps.checkBeforeSubmit(caller, id),
  run: ({ apps }, caller, { id, expectedRevisions }, checked) =>
    apps.submit(caller, id, checked, expectedRevisions),
});

export const withdrawApp = mutation({
  summary: 'Withdraws a submission: the app becomes a draft again.',
  catalog: 'none',
  policy: developer(Scope.APP_UPDATE),
  input: AppId,
  output: App,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  pipelineApp: byId,
  run: ({ apps }, caller, { id }) => apps.withdraw(caller, id),
});

export const deleteApp = mutation({
  summary: 'Deletes an app that has never been public.',
  rest: 'DELETE /api/dev/apps/:id',
  catalog: 'none',
  policy: developer(Scope.APP_DELETE),
  input: DeleteApp,
  output: DeletedApp,
  errors: ['NOT_FOUND', 'APP_APPROVED', 'APP_SUSPENDED', 'REVISION_CONFLICT'],
  run: ({ apps }, caller, { id, expectedRevisions }) => apps.delete(caller, id, expectedRevisions),
});

export const adminApps = query({
  summary: 'Lists the apps of all developers, in every state, newest first by default.',
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: ListAdminApps,
  grouped: {
    argument: 'filter',
    type: 'AdminAppFilter',
    description: 'Restricts the list to apps that match all given fields.',
    fields: AdminAppFilter,
    optional: true,
  },
  output: DeveloperAppConnection,
  run: ({ appAdmin }, _caller, input) => appAdmin.list(input),
});

export const adminApp = query({
  summary: 'Returns an app of any developer, in any state.',
  nullable: true,
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: AppId,
  output: App,
  errors: ['NOT_FOUND'],
  run: ({ appAdmin }, _caller, { id }) => appAdmin.get(id),
});

export const appChanged = subscription({
  summary:
    'Reports each change of an app: of its listing, status, versions, review, messages, ratings, and place in the queue. For its developer and administrators.',
  policy: developerOrAdmin(Scope.APP_READ, { ownAllowed: 'It only reads.' }),
  input: AppId,
  output: AppChange,
  errors: ['NOT_FOUND', 'QUOTA_EXCEEDED'],
  pipelineApp: byId,
  follows: async ({ apps }, caller, { id }) => {
    await apps.getVisible(caller, id);
    let mayWait = await apps.isInQueue(id);
    return (change) => {
      const isOwn = change.about === 'event' && change.appId === id && !administratorsOnly.has(change.kind);
      mayWait ||= isOwn;
      return isOwn || (mayWait && movesQueue(change));
    };
  },
  run: async ({ apps }, caller, { id }) => ({ app: await apps.findVisible(caller, id) }),
});
