import { useRef } from 'preact/hooks';
import { Field } from '../components/field.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { Later } from '../components/later.tsx';
import { type Mark, marked } from './markdown-marks.ts';

interface MarkdownFieldProps {
  label: string;
  hint: preact.ComponentChildren;
  problems: readonly string[];
  lines: number;
  value: string;
  onChange: (value: string) => void;
}

const around = (mark: string, sample: string): Mark => ({ around: [mark, mark], sample });
const start = (mark: string, sample: string): Mark => ({ start: () => mark, sample });

/** The marks that descriptions may have. */
const tools: readonly { name: string; sign?: string; icon?: IconName; key?: string; mark: Mark }[] = [
  { name: 'Bold', sign: 'B', key: 'b', mark: around('**', 'bold text') },
  { name: 'Italic', sign: 'I', key: 'i', mark: around('*', 'italic text') },
  { name: 'Heading', sign: 'H', mark: start('## ', 'Heading') },
  { name: 'List', icon: 'list', mark: start('- ', 'First point') },
  {
    name: 'Numbered list',
    icon: 'numbered',
    mark: { start: (line) => `${line + 1}. `, sample: 'First step' },
  },
  { name: 'Quote', icon: 'quote', mark: start('> ', 'Quote') },
  { name: 'Link', icon: 'link', mark: { around: ['[', '](https://)'], sample: 'text of the link' } },
  { name: 'Code', icon: 'DEVELOPER_TOOLS', mark: around('`', 'code') },
  {
    name: 'Table',
    icon: 'table',
    mark: { around: ['\n| ', ' | Column |\n|---|---|\n| Value | Value |\n'], sample: 'Column' },
  },
];

const loadMarkdown = () => import('../components/markdown.tsx').then(({ Markdown }) => Markdown);

/** A field for Markdown: a toolbar for the marks that exist, and beside the text what it will look like. */
export function MarkdownField({ label, hint, problems, lines, value, onChange }: MarkdownFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const apply = (mark: Mark) => {
    const element = area.current;
    if (!element) return;
    const { selectionStart, selectionEnd } = element;
    const { from, to, by, select } = marked(
      { text: element.value, start: selectionStart, end: selectionEnd },
      mark,
    );
    element.focus();
    element.setSelectionRange(from, to);
    // As if it were typed, so that Ctrl+Z takes it back.
    if (!document.execCommand('insertText', false, by)) {
      element.setRangeText(by, from, to);
      onChange(element.value);
    }
    element.setSelectionRange(...(select as [number, number]));
  };
  return (
    <Field label={`${label} (optional)`} hint={hint} problems={problems}>
      {(attributes) => (
        <div class="markdown-editor">
          <div>
            <Toolbar label={label} controls={attributes.id} onTool={apply} />
            <textarea
              {...attributes}
              ref={area}
              dir="auto"
              rows={lines}
              value={value}
              onInput={({ currentTarget }) => onChange(currentTarget.value)}
              onKeyDown={(event) => {
                const tool = tools.find(({ key }) => key === event.key);
                if (!tool || !(event.ctrlKey || event.metaKey) || event.altKey) return;
                event.preventDefault();
                apply(tool.mark);
              }}
            />
          </div>
          <section class="markdown-preview" aria-label={`Preview: ${label}`}>
            {value.trim() ? (
              <Later load={loadMarkdown} props={{ text: value }} />
            ) : (
              <p class="soft">What you write appears here as people will see it.</p>
            )}
          </section>
        </div>
      )}
    </Field>
  );
}

interface ToolbarProps {
  label: string;
  controls: string;
  onTool: (mark: Mark) => void;
}

const Toolbar = ({ label, controls, onTool }: ToolbarProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is a group of fields, and these are buttons.
  <div class="markdown-tools" role="group" aria-label={`Format: ${label}`}>
    {tools.map(({ name, sign, icon, key, mark }) => (
      <button
        key={name}
        type="button"
        aria-label={name}
        aria-controls={controls}
        title={key ? `${name} (Ctrl+${key.toUpperCase()})` : name}
        onClick={() => onTool(mark)}
      >
        {icon ? <Icon name={icon} /> : <span aria-hidden="true">{sign}</span>}
      </button>
    ))}
  </div>
);
