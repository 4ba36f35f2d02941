import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Problem } from '../client/problems.ts';
import { FieldForm, requestsAt } from '../components/field-form.tsx';
import { TextField } from '../components/form.tsx';
import { groupsOf } from './event-words.ts';

export interface WebhookValues {
  url: string;
  description: string;
  /** Null: all types of events, including future ones. */
  events: readonly string[] | null;
}
export const emptyWebhook: WebhookValues = { url: '', description: '', events: null };

/** Returns the values as the service takes them. */
export const inputOf = ({ url, description, events }: WebhookValues) => ({
  url,
  description: description || null,
  events: [...(events ?? [])],
});

interface WebhookFormProps {
  values: WebhookValues;
  onChange: (values: WebhookValues) => void;
  eventTypes: readonly string[];
  problems: readonly Problem[];
  action: string;
  /** A button beside that of the action. */
  cancel?: ComponentChildren;
  isDisabled: boolean;
  onSubmit: () => void;
}

/** The fields of an endpoint. */
export function WebhookForm(props: WebhookFormProps) {
  const { values, onChange, eventTypes, problems, action, cancel, isDisabled, onSubmit } = props;
  const [wasTried, setWasTried] = useState(false);
  // The service takes an empty list for all events, which nobody means who has chosen "Only these".
  const isIncomplete = values.events?.length === 0;
  const submit = () => {
    setWasTried(true);
    if (!isIncomplete) onSubmit();
  };
  return (
    <FieldForm fields={['url', 'description']} problems={problems} onSubmit={submit}>
      <TextField
        label="URL"
        hint="A public https address. On a development server, http works too."
        type="url"
        value={values.url}
        onChange={(url) => onChange({ ...values, url })}
        problems={requestsAt(problems, 'url')}
      />
      <TextField
        label="Note"
        hint="What the endpoint is for."
        isOptional
        value={values.description}
        onChange={(description) => onChange({ ...values, description })}
        problems={requestsAt(problems, 'description')}
      />
      <EventChoice
        types={eventTypes}
        chosen={values.events}
        onChange={(events) => onChange({ ...values, events })}
      />
      {wasTried && isIncomplete && (
        <p class="wrong-text" role="alert">
          Choose at least one event.
        </p>
      )}
      <div class="row">
        <button type="submit" class="primary" disabled={isDisabled}>
          {action}
        </button>
        {cancel}
      </div>
    </FieldForm>
  );
}

interface EventChoiceProps {
  types: readonly string[];
  chosen: WebhookValues['events'];
  onChange: (chosen: WebhookValues['events']) => void;
}

const EventChoice = ({ types, chosen, onChange }: EventChoiceProps) => (
  <fieldset class="field">
    <legend>Events</legend>
    <div class="checks">
      <label class="check">
        <input type="radio" name="events" checked={chosen === null} onChange={() => onChange(null)} />
        <span>All events, including future ones</span>
      </label>
      <label class="check">
        <input type="radio" name="events" checked={chosen !== null} onChange={() => onChange([])} />
        <span>Only these</span>
      </label>
    </div>
    {chosen && (
      <div class="events">
        {groupsOf(types).map(({ subject, events }) => (
          <fieldset class="checks" key={subject}>
            <legend>{subject}</legend>
            {events.map(({ type, text }) => (
              <label class="check" key={type}>
                <input
                  type="checkbox"
                  checked={chosen.includes(type)}
                  onChange={({ currentTarget: { checked } }) =>
                    onChange(types.filter((each) => (each === type ? checked : chosen.includes(each))))
                  }
                />
                <span>
                  {text} <code>{type}</code>
                </span>
              </label>
            ))}
          </fieldset>
        ))}
      </div>
    )}
  </fieldset>
);
