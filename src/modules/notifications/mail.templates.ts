import type { MailedEvent } from '../events/event-mail.types.js';
import { appTemplates } from './app.templates.js';
import { developerTemplates } from './developer.templates.js';
import { keyTemplates } from './key.templates.js';
import type { MailContent, MailDraft, MailTemplates, TemplateData } from './mail.types.js';
import { reviewTemplates } from './review.templates.js';
import { webhookTemplates } from './webhook.templates.js';

/** The template of each mailed event. A mailed event without a template does not compile. */
const templates: MailTemplates = {
  ...developerTemplates,
  ...keyTemplates,
  ...appTemplates,
  ...reviewTemplates,
  ...webhookTemplates,
};

/** Writes the content of the mail about an event. */
export function composeMail<E extends MailedEvent>(event: E, data: TemplateData): MailContent {
  // The kind selects the template that takes this event, but TypeScript cannot infer that.
  const template = templates[event.kind] as (event: E, data: TemplateData) => MailDraft;
  const draft = template(event, data);
  return { heading: draft.subject, ...draft };
}
