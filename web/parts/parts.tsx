import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Avatar } from '../components/avatar.tsx';
import { Badge, wordsOf } from '../components/badge.tsx';
import { Banner } from '../components/banner.tsx';
import { Changes } from '../components/changes.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { Field } from '../components/field.tsx';
import { Icon, iconNames, Mark } from '../components/icon.tsx';
import { Markdown } from '../components/markdown.tsx';
import { Logo } from '../components/picture.tsx';
import { RatingFigure, Stars } from '../components/stars.tsx';
import { Empty, Loading, Problems, Skeleton } from '../components/status.tsx';
import { Verified } from '../components/verified.tsx';

const BANNER =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1200 600'><rect width='1200' height='600' fill='%233a36c4'/><circle cx='900' cy='300' r='220' fill='%236f7ff0'/></svg>";
const STATUSES = ['APPROVED', 'PENDING', 'UNVERIFIED', 'REJECTED', 'DRAFT'];
const COLORS = ['accent', 'good', 'warn', 'bad', 'text', 'soft', 'line', 'raised', 'card', 'page'];

/** Every part of the design on one page, for people who change it. It exists in development only. */
export const Parts = () => (
  <div class="shell">
    <header>
      <span class="brand">
        <Mark /> Marketplace
      </span>
      <nav aria-label="Pages">
        <a href="#controls" aria-current="page">
          Parts
        </a>
      </nav>
    </header>
    <main class="stack">
      <h1>Parts of the design</h1>
      <Type />
      <Part title="Colours">
        <ul class="plain row">
          {COLORS.map((name) => (
            <li key={name} class="swatch">
              <span style={{ background: `var(--${name})` }} /> <small>{name}</small>
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Icons">
        <ul class="plain row">
          {iconNames.map((name) => (
            <li key={name} class="chip">
              <Icon name={name} /> {wordsOf(name)}
            </li>
          ))}
        </ul>
      </Part>
      <People />
      <Controls />
      <States />
      <Part title="Banner, always whole">
        <Banner url={BANNER} isEager />
      </Part>
    </main>
  </div>
);

const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="card stack" aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);

const Type = () => (
  <Part title="Text">
    <h3>Heading of a part</h3>
    <p>
      A paragraph with <strong>strong</strong> and <em>stressed</em> words, a{' '}
      <a href="#controls">link to the controls</a>, <code>code</code> and <kbd>K</kbd>.
    </p>
    <p class="soft">
      Soft text for what is less important. <small>Small text for details.</small>
    </p>
    <Markdown
      text={'## Markdown\n\n- A list\n- with **marks**\n\n> A quote\n\n| A | table |\n|---|---|\n| 1 | 2 |'}
    />
    <Changes changes={[{ field: 'Name', before: 'Time Tracker', after: 'Time Keeper' }]} />
  </Part>
);

const People = () => (
  <Part title="People, ratings and badges">
    <p class="row">
      <Logo url={null} name="Time Tracker" />
      {['Ada Lovelace', 'Fjord & Field', 'Grace Hopper', 'Kofi Mensah'].map((name) => (
        <span key={name} class="person">
          <Avatar name={name} /> {name}
        </span>
      ))}
      <Verified />
    </p>
    <p class="row">
      {[1, 2.5, 3.7, 5].map((rating) => (
        <Stars key={rating} rating={rating} />
      ))}
      <RatingFigure average={4.1} count={36} />
    </p>
    <p class="row">
      {STATUSES.map((status) => (
        <Badge key={status} value={status} />
      ))}
    </p>
  </Part>
);

function Controls() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div id="controls">
      <Part title="Controls">
        <p class="row">
          <button type="button" class="primary" onClick={() => setIsOpen(true)}>
            Open a dialog
          </button>
          <button type="button">Button</button>
          <button type="button" class="danger">
            Dangerous
          </button>
          <button type="button" disabled>
            Disabled
          </button>
          <button type="button" class="link">
            Like a link
          </button>
          <CopyButton text="Copied text" />
        </p>
        <Field label="Name" hint="What people search for." problems={['Name is empty.']}>
          {(attributes) => <input {...attributes} />}
        </Field>
        <Field label="Category">
          {(attributes) => (
            <select {...attributes} class="short">
              <option>Productivity</option>
            </select>
          )}
        </Field>
        <Field label="Description">{(attributes) => <textarea {...attributes} />}</Field>
        <Disclosure summary="A disclosure">{() => <p>Its details.</p>}</Disclosure>
        {isOpen && (
          <Dialog title="A dialog" onClose={() => setIsOpen(false)}>
            <p>It says what happens next.</p>
            <button type="button" class="primary" onClick={() => setIsOpen(false)}>
              Close
            </button>
          </Dialog>
        )}
      </Part>
    </div>
  );
}

const States = () => (
  <Part title="States">
    <p class="note">A note.</p>
    <p class="note good">Something went well.</p>
    <p class="note warn">Something needs attention.</p>
    <Problems
      problems={[{ code: 'CONFLICT', message: 'Somebody else has changed it.', details: [], extensions: {} }]}
    />
    <Loading />
    <Skeleton shapes={['of-card', 'of-card', 'of-card']} />
    <Empty>
      <p>There is nothing here yet.</p>
    </Empty>
  </Part>
);
