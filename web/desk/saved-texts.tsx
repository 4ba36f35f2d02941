import { useState } from 'preact/hooks';
import { useDraft } from '../client/draft.ts';
import { announce } from '../components/announcements.tsx';

/** The guidance of a rejection until somebody writes another one. */
export const STANDARD_GUIDANCE =
  'Please fix the points above and submit again. Questions? Ask in the console.';

const MAX_TEXTS = 30;
const MAX_NAME = 60;
const noTexts: readonly string[] = [];

interface SavedTextsProps {
  /** The current text. */
  value: string;
  onChoose: (text: string) => void;
}

const nameOf = (text: string) =>
  text.length > MAX_NAME ? `${text.slice(0, MAX_NAME).trimEnd()}…` : text.replaceAll('\n', ' ');

/** Texts that a reviewer writes often. One is put into the field and edited before it goes out; this browser keeps them. */
export function SavedTexts({ value, onChoose }: SavedTextsProps) {
  const [texts, setTexts] = useDraft<readonly string[]>('saved-texts', noTexts);
  const [chosen, setChosen] = useState('');
  const written = value.trim();
  const isSaved = texts.includes(written);
  const isOwn = written !== '' && written !== STANDARD_GUIDANCE;
  const save = () => {
    setTexts([written, ...texts].slice(0, MAX_TEXTS));
    announce('The text is saved.');
  };
  const remove = () => {
    setTexts(texts.filter((text) => text !== written));
    announce('The text is no longer saved.');
  };
  return (
    <div class="saved-texts">
      {texts.length > 0 && (
        <select
          aria-label="Saved texts"
          class="short"
          value={chosen}
          onChange={({ currentTarget }) => {
            const text = texts[Number(currentTarget.value)];
            setChosen('');
            currentTarget.value = '';
            if (text !== undefined) onChoose(isOwn && !isSaved ? `${value.trimEnd()}\n\n${text}` : text);
          }}
        >
          <option value="">Insert a saved text…</option>
          {texts.map((text, index) => (
            <option key={text} value={String(index)}>
              {nameOf(text)}
            </option>
          ))}
        </select>
      )}
      {isOwn && (
        <button type="button" class="link" onClick={isSaved ? remove : save}>
          {isSaved ? 'Remove from the saved texts' : 'Save this text for later'}
        </button>
      )}
    </div>
  );
}
