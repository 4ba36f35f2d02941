import escapeHtml from 'escape-html';
import express from 'express';
import { contract } from '../contract.js';
import { errorStatus, ServiceError } from '../errors.js';
import type { UndoneProfileChange } from '../modules/key-changes/key-change.types.js';
import { call } from '../operations/call.js';
import type { Context } from '../operations/context.js';
import { queryOf, responding } from '../server/routing.js';
import { ownPage } from './document.js';
import { HOME_CSS } from './home.css.js';

const CSS = `${HOME_CSS}
button { font: inherit; cursor: pointer; }
`;
const policy = { formAction: ["'self'"] };

/**
 * The page that a mail about a changed profile links to. Only its button undoes the change: programs that scan mails
 * follow links. It needs no sign-in and no script, and exists without the browser application.
 */
export function undoPage(contextOf: () => Context): express.Router {
  const router = express.Router();
  router.get(
    '/',
    responding((request) =>
      queryOf(request).token
        ? page(question)
        : page(failure('This link is not complete'), errorStatus.NOT_FOUND),
    ),
  );
  router.post(
    '/',
    responding(async (request) => {
      try {
        const token = String(queryOf(request).token ?? '');
        return page(done(await call(contract.undoProfileChange, contextOf(), { token })));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return page(failure(problems[error.code] ?? error.message), errorStatus[error.code]);
      }
    }),
  );
  return router;
}

const page = (body: string, status = 200) =>
  ownPage({ title: 'Undo a change · Marketplace', css: CSS, body, policy }, 'no-store', status);

const question = `<h1>Undo the change of your profile?</h1>
  <p class="lead">An API key changed your developer profile, and you received an e-mail about it. Undoing the change restores the
  former values, and revokes that key and all keys that were created with it. Programs that use them stop working.</p>
  <form method="post" class="buttons"><button class="button first" type="submit">Undo the change and revoke the key</button></form>`;

const fieldNames: Readonly<Record<string, string>> = {
  name: 'name',
  email: 'e-mail address',
  companyName: 'company',
  websiteUrl: 'website',
  bio: 'text about you',
};

function done({ restored, emailTaken, maskedKey, descendantsRevoked }: UndoneProfileChange): string {
  const names = restored.map((field) => fieldNames[field] ?? field).join(', ');
  const sentences = [
    names
      ? `These fields have their former values again: ${names}.`
      : 'You have changed these fields since, so they stay as they are.',
    ...(emailTaken
      ? [
          'The former e-mail address could not be restored, because another developer uses it now. Set another one in your profile.',
        ]
      : []),
    `The key ${maskedKey} is revoked${descendantsRevoked > 0 ? `, and so are ${descendantsRevoked} keys that were created with it` : ''}.`,
    'Sign in to the marketplace to see what else was done with the key.',
  ];
  return `<h1>The change is undone</h1>${sentences.map((text) => `\n  <p class="lead">${escapeHtml(text)}</p>`).join('')}`;
}

/** Explanations for the reader of a mail, in the place of those for programs. */
const problems: Readonly<Partial<Record<string, string>>> = {
  NOT_FOUND: 'This link is not valid. Open it from the e-mail again.',
  VALIDATION_FAILED: 'This link is not complete. Open it from the e-mail again.',
};

const failure = (text: string) => `<h1>Nothing was undone</h1>
  <p class="lead">${escapeHtml(text)}</p>`;
