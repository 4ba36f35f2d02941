import { useRef, useState } from 'preact/hooks';
import { useCreation } from '../client/creation.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import type { Problem } from '../client/problems.ts';
import { announce } from '../components/announcements.tsx';
import { Field } from '../components/field.tsx';
import { useKeys } from '../components/keys.ts';
import { Problems } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { type HistoryData, permissionOf } from './review-data.ts';

const Send = graphql(`
  mutation DeskMessageDeveloper($id: ID!, $text: String!) {
    messageDeveloper(id: $id, text: $text) { id author createdAt text }
  }
`);

interface ThreadProps {
  appId: string;
  messages: HistoryData['messages'];
  actions: Parameters<typeof permissionOf>[0];
  /** Called after a message was sent. */
  onSent?: () => void;
}

/** The messages between the developer and the administrators, with a box to write. */
export function Thread({ appId, messages: { totalCount, edges }, actions, onSent }: ThreadProps) {
  const { isAllowed, message } = permissionOf(actions, 'messageDeveloper');
  return (
    <section class="card stack" aria-labelledby="thread">
      <h2 id="thread">Messages</h2>
      {totalCount > edges.length && (
        <p class="soft tight">
          The newest {edges.length} of {totalCount}.
        </p>
      )}
      {edges.length === 0 && <p class="soft tight">No messages yet.</p>}
      <ol class="plain thread">
        {edges.map(({ node: { id, author, createdAt, text } }) => (
          <li key={id} class={author === 'REVIEWER' ? 'ours' : ''}>
            <p class="tight">
              <strong>{author === 'REVIEWER' ? 'Marketplace team' : 'Developer'}</strong>{' '}
              <small>
                <When at={createdAt} />
              </small>
            </p>
            <p class="tight pre" dir="auto">
              {text}
            </p>
          </li>
        ))}
      </ol>
      {isAllowed ? <MessageForm appId={appId} onSent={onSent} /> : <p class="soft tight">{message}</p>}
    </section>
  );
}

function MessageForm({ appId, onSent }: { appId: string; onSent: (() => void) | undefined }) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText, clearText] = useDraft(`message:${appId}`, '');
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [send, isSending] = useCreation(Send);
  useKeys({ m: () => box.current?.focus() });
  const onSend = async () => {
    if (!text.trim() || isSending) return;
    const outcome = await send({ id: appId, text });
    setProblems(outcome.problems);
    if (!outcome.data || outcome.problems.length > 0) return;
    clearText(text);
    announce('The message is sent.');
    onSent?.();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void onSend();
      }}
    >
      <Field label="Message to the developer" hint="The developer is notified by e-mail.">
        {(attributes) => (
          <textarea
            {...attributes}
            ref={box}
            dir="auto"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void onSend();
              if (event.key === 'Escape') box.current?.blur();
            }}
          />
        )}
      </Field>
      <Problems problems={problems} />
      <button type="submit" disabled={!text.trim() || isSending}>
        Send
      </button>
    </form>
  );
}
