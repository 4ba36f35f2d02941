import { useState } from 'preact/hooks';
import { fieldProblems, type Problem } from '../client/problems.ts';
import { Form, TextField } from './form.tsx';
import { type EventKind, eventKinds, typeOf } from './webhook-data.ts';

export interface WebhookValues {
  url: string;
  description: string;
  /** Empty: all kinds. */
  eventKinds: EventKind[];
}
export const emptyWebhook: WebhookValues = { url: '', description: '', eventKinds: [] };

interface WebhookFormProps {
  values: WebhookValues;
  onChange: (values: WebhookValues) => void;
  problems: readonly Problem[];
  action: string;
  isBusy: boolean;
  onSubmit: () => void;
}

/** The fields of an endpoint. */
export const WebhookForm = ({ values, onChange, problems, action, isBusy, onSubmit }: WebhookFormProps) => (
  <Form fields={['url', 'description', 'events', 'eventKinds']} problems={problems} onSubmit={onSubmit}>
    <TextField
      label="URL"
      hint="A public https address. On a development server, http on this machine works too."
      type="url"
      value={values.url}
      onChange={(url) => onChange({ ...values, url })}
      problems={fieldProblems(problems, 'url')}
    />
    <TextField
      label="Note"
      hint="What the endpoint is for."
      isOptional
      value={values.description}
      onChange={(description) => onChange({ ...values, description })}
      problems={fieldProblems(problems, 'description')}
    />
    <EventChoice
      chosen={values.eventKinds}
      onChange={(chosen) => onChange({ ...values, eventKinds: chosen })}
    />
    <button type="submit" class="primary" disabled={isBusy}>
      {action}
    </button>
  </Form>
);

function EventChoice({
  chosen,
  onChange,
}: {
  chosen: readonly EventKind[];
  onChange: (chosen: EventKind[]) => void;
}) {
  const [isAll, setIsAll] = useState(chosen.length === 0);
  return (
    <fieldset class="field">
      <legend>Events</legend>
      <div class="checks">
        <label class="check">
          <input
            type="radio"
            name="events"
            checked={isAll}
            onChange={() => {
              setIsAll(true);
              onChange([]);
            }}
          />
          <span>All events, including future ones</span>
        </label>
        <label class="check">
          <input type="radio" name="events" checked={!isAll} onChange={() => setIsAll(false)} />
          <span>Only these</span>
        </label>
      </div>
      {!isAll && (
        <div class="checks events">
          {eventKinds.map((kind) => (
            <label class="check" key={kind}>
              <input
                type="checkbox"
                checked={chosen.includes(kind)}
                onChange={({ currentTarget: { checked } }) =>
                  onChange(eventKinds.filter((each) => (each === kind ? checked : chosen.includes(each))))
                }
              />
              <code>{typeOf(kind)}</code>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}
