/** The outlines of the icons, on a grid of 24 × 24. They are one family: round strokes, no filling. */
const outlines = {
  search: 'M17 11a6 6 0 1 1-12 0 6 6 0 0 1 12 0zM20 20l-4.7-4.7',
  close: 'M6 6l12 12M18 6L6 18',
  done: 'M5 12.5l4.5 4.5L19 7.5',
  verified: 'M12 3l7 3v5c0 4.6-3 8-7 10-4-2-7-5.4-7-10V6zM9 12l2.2 2.2 4.3-4.4',
  external: 'M14 5h5v5M19 5l-8 8M11 6H6a1 1 0 0 0-1 1v11a1 1 0 0 0 1 1h11a1 1 0 0 0 1-1v-5',
  previous: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  numbered: 'M10 6h10M10 12h10M10 18h10M4 5l1.5-1v5M4 14.5c.3-1.2 2.6-1.2 2.6.3 0 1-2.6 2-2.6 3.2h2.6',
  quote: 'M9 7H5v5h4V7c0 5-1 7-3.5 8M19 7h-4v5h4V7c0 5-1 7-3.5 8',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  table: 'M4 5h16v14H4zM4 10h16M4 14.5h16M12 5v14',
  PRODUCTIVITY:
    'M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM8 12.5l2.7 2.7L16 9.5',
  BUSINESS: 'M4 8h16v11H4zM9 8V5h6v3M4 13h16',
  COMMUNICATION: 'M4 5h16v11H10l-4 4v-4H4z',
  DEVELOPER_TOOLS: 'M8 8l-4 4 4 4M16 8l4 4-4 4M13.5 5l-3 14',
  ANALYTICS: 'M6 20v-8M12 20V5M18 20v-5M3 20h18',
  FINANCE:
    'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM14.8 9.4c-.5-.9-1.5-1.4-2.8-1.4-1.7 0-2.8.8-2.8 2 0 2.8 5.8 1.2 5.8 4 0 1.2-1.2 2-3 2-1.4 0-2.5-.5-3-1.4M12 6.2V8M12 16v1.8',
  EDUCATION: 'M3 9l9-4.5L21 9l-9 4.5zM7 11.2V16c1.5 1.3 3 2 5 2s3.5-.7 5-2v-4.8',
  AI_ML:
    'M11 4l1.8 4.9L18 11l-5.2 2.1L11 18l-1.8-4.9L4 11l5.2-2.1zM18.5 15l.8 2.2 2.2.8-2.2.8-.8 2.2-.8-2.2-2.2-.8 2.2-.8z',
  UTILITIES:
    'M4 7h8M18 7h2M4 17h2M12 17h8M18 7a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM12 17a3 3 0 1 1-6 0 3 3 0 0 1 6 0z',
  OTHER: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
} as const;

export type IconName = keyof typeof outlines;

export const iconNames = Object.keys(outlines) as IconName[];

/** An icon beside a text that says the same. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={outlines[name]} />
  </svg>
);

/** The mark of the marketplace, as in the icon of the window. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
    <rect width="24" height="24" rx="6" />
    <path d="M6.5 16.5V8l5.5 5.5L17.5 8v8.5" />
  </svg>
);
