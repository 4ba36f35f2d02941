const font = "font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The look of each part, written into its tag: many mail programs drop a style sheet. */
export const style = {
  page: `margin:0;padding:24px 12px;background:#f2f4f7;color:#1d2433;${font}`,
  card: 'max-width:560px;margin:0 auto;padding:28px;background:#ffffff;border-radius:12px',
  brand: 'margin:0 0 12px;font-size:13px;font-weight:600;letter-spacing:.02em;color:#4338ca',
  heading: 'margin:0 0 16px;font-size:22px;line-height:1.3;overflow-wrap:anywhere',
  text: 'margin:0 0 16px;overflow-wrap:anywhere',
  title: 'margin:28px 0 8px;font-size:18px;font-weight:600;overflow-wrap:anywhere',
  label: 'margin:0 0 6px;font-weight:600',
  quote:
    'margin:0 0 16px;padding:10px 14px;border-left:4px solid #4338ca;background:#f5f5fb;border-radius:0 8px 8px 0;overflow-wrap:anywhere',
  list: 'margin:0 0 16px;padding-left:24px',
  point: 'margin:0 0 12px;overflow-wrap:anywhere',
  tag: 'padding:1px 8px;border-radius:99px;background:#eceefb;color:#3730a3;font-size:12px;white-space:nowrap',
  change:
    'margin:0 0 16px;padding:12px 14px;border:1px solid #e3e5ec;border-radius:8px;overflow-wrap:anywhere',
  side: 'margin:8px 0 2px;font-size:12px;color:#5b6475',
  before: 'color:#9f1d1d',
  after: 'color:#14662f;text-decoration:none',
  last: 'margin:24px 0 0',
  action:
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#4338ca;color:#ffffff;text-decoration:none;font-weight:600',
  foot: 'max-width:560px;margin:16px auto 0;font-size:13px;color:#5b6475',
} satisfies Record<string, string>;

export type Part = keyof typeof style;

/** What no tag can say. A style sheet beats a tag only by force. */
export const darkAndNarrow = `
  body.page { padding: 0 !important; }
  @media (max-width: 480px) {
    div.page { padding: 12px 8px !important; }
    .card { padding: 20px !important; }
    .foot { padding: 0 20px !important; }
  }
  @media (prefers-color-scheme: dark) {
    .page { background: #101218 !important; color: #e8eaf1 !important; }
    .card { background: #181b24 !important; }
    .brand { color: #a5a8ff !important; }
    .quote { background: #20243a !important; border-color: #a5a8ff !important; }
    .tag { background: #2a2f52 !important; color: #c7c9ff !important; }
    .change { border-color: #2f3545 !important; }
    .side, .foot { color: #9aa2b6 !important; }
    .before { color: #ff9d9d !important; }
    .after { color: #8fe0a8 !important; }
    .action { background: #a5a8ff !important; color: #14152b !important; }
  }
`;
