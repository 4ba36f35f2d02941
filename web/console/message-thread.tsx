import { useState } from 'preact/hooks';
import { useCreation } from '../client/creation.ts';
import { useData } from '../client/data.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { FieldForm, requestsAt } from '../components/field-form.tsx';
import { TextField, useAttempt } from '../components/form.tsx';
import { MoreButton } from '../components/more-button.tsx';
import { Loaded } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import type { AppData } from './app-data.ts';
import { useReloadAfter } from './reload-after.ts';

const Messages = graphql(`
  query ConsoleMessages($id: ID!, $last: Int!) {
    myApp(id: $id) {
      messages(last: $last) {
        totalCount
        edges {
          node {
            id
            author
            text
            createdAt
          }
        }
      }
    }
  }
`);
const MessageReviewers = graphql(`
  mutation ConsoleMessageReviewers($id: ID!, $text: String!) {
    messageReviewers(id: $id, text: $text) {
      id
    }
  }
`);
const FIRST_SHOWN = 10;
const MOST_SHOWN = 100;

/** The conversation with the reviewers. `events` counts the changes of the app that were reported. */
export function MessageThread({ app, events }: { app: AppData; events: number }) {
  const [last, setLast] = useState(FIRST_SHOWN);
  const messages = useData(Messages, { id: app.id, last });
  useReloadAfter(events, messages.reload);
  return (
    <section class="card">
      <h2>Messages</h2>
      <Loaded from={messages}>
        {({ myApp }) => {
          const { totalCount, edges } = myApp?.messages ?? { totalCount: 0, edges: [] };
          return (
            <>
              {totalCount === 0 && <p class="soft">No messages yet.</p>}
              {last < MOST_SHOWN && (
                <MoreButton
                  shown={edges.length}
                  total={totalCount}
                  isLoading={messages.isLoading}
                  onMore={() => setLast(MOST_SHOWN)}
                />
              )}
              <ol class="plain thread">
                {edges.map(({ node }) => (
                  <li key={node.id} class={node.author === 'DEVELOPER' ? 'own' : ''}>
                    <small>
                      {node.author === 'DEVELOPER' ? 'You' : 'Reviewer'}, <When at={node.createdAt} />
                    </small>
                    <p class="written" dir="auto">
                      {node.text}
                    </p>
                  </li>
                ))}
              </ol>
            </>
          );
        }}
      </Loaded>
      <MessageForm app={app} onSent={messages.reload} />
    </section>
  );
}

/** Says who reads a message, and when. */
function readersOf({ status, openVersion }: AppData): string {
  if (status === 'PENDING' || openVersion?.status === 'PENDING')
    return 'Reviewers see it beside your submission; whoever reviews it gets it by e-mail.';
  if (status === 'DRAFT')
    return 'Nobody reviews this draft yet: the reviewer reads your message after you have submitted it.';
  return 'Administrators see it beside the app; those who have written to you get it by e-mail.';
}

function MessageForm({ app, onSent }: { app: AppData; onSent: () => void }) {
  const [text, setText, clearDraft] = useDraft(`message:${app.id}`, '');
  const [send, isSending] = useCreation(MessageReviewers);
  const { attempt, problems } = useAttempt();
  const action = app.allowedActions.find((each) => each.action === 'messageReviewers');
  const submit = async () => {
    if (!(await attempt(send({ id: app.id, text }), 'Your message is sent.'))) return;
    clearDraft(text);
    onSent();
  };
  if (!action?.allowed) return <small>{action?.message}</small>;
  return (
    <FieldForm fields={['text']} problems={problems} onSubmit={submit}>
      <TextField
        label="Message to the reviewers"
        hint={readersOf(app)}
        lines={3}
        value={text}
        onChange={setText}
        problems={requestsAt(problems, 'text')}
      />
      <button type="submit" disabled={isSending || !text.trim()}>
        Send
      </button>
    </FieldForm>
  );
}
