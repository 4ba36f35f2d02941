import { icons } from './icons.mjs';
import { panels } from './panels.mjs';

const escaped = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const icon = (name, size, colour, width = 1.8) =>
  `<svg width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round">${icons[name]}</svg>`;

const page = (
  css,
  body,
  isRtl = false,
) => `<!doctype html><html dir="${isRtl ? 'rtl' : 'ltr'}"><meta charset="utf-8"><style>
*{box-sizing:border-box;margin:0;padding:0}
body{font-family:'DejaVu Sans',sans-serif;overflow:hidden;-webkit-font-smoothing:antialiased}
${css}</style><body>${body}</body></html>`;

/** A square with the icon of the app, and a shape in a second colour behind it. */
export const logo = ({ colour, second, icon: name }, side) =>
  page(
    `body{width:${side}px;height:${side}px;background:${colour};display:grid;place-items:center;position:relative}
     i{position:absolute;width:86%;height:86%;border-radius:50%;background:${second};right:-22%;bottom:-26%}
     svg{position:relative}`,
    `<i></i>${icon(name, side * 0.58, '#fff')}`,
  );

/** The name and the first sentence of the description beside the large icon. */
export const banner = ({ name, description }, { colour, second, icon: iconName }, isRtl) =>
  page(
    `main{width:1200px;height:600px;overflow:clip;background:${colour};color:#fff;position:relative}
     .c{position:absolute;border-radius:50%;background:${second}}
     .i{position:absolute;inset-inline-end:110px;top:140px}
     .t{position:absolute;inset-inline-start:88px;top:0;height:600px;width:570px;display:flex;flex-direction:column;justify-content:center;gap:26px}
     h1{font-size:${name.length > 40 ? 38 : name.length > 16 ? 56 : 68}px;line-height:1.15;letter-spacing:-.03em}
     p{font-size:25px;line-height:1.5;opacity:.92}`,
    `<main><div class="c" style="width:620px;height:620px;inset-inline-end:-90px;top:-10px"></div>
     <div class="i">${icon(iconName, 320, '#fff', 1.5)}</div>
     <div class="t"><h1>${escaped(name)}</h1><p>${escaped(firstSentence(description))}</p></div></main>`,
    isRtl,
  );

const firstSentence = (text) => `${text.split(/[.:] /)[0].replace(/\.$/, '').slice(0, 96)}`;

const boards = ['Launch', 'Website', 'Support', 'Hiring'];
const arabicBoards = ['الإطلاق', 'الموقع', 'الدعم', 'التوظيف'];

/** A screen of the host product with the app open in it: the boards at the side, the app's name on top, its panel below. */
export const screen = (app, look, [kind, title, data], isRtl) => {
  const { colour } = look;
  const name = app.name.length > 44 ? `${app.name.slice(0, 42)}…` : app.name;
  const names = isRtl ? arabicBoards : boards;
  return page(
    `body{width:1280px;height:720px;background:#f5f6fa;color:#1d2233;font-size:15px;display:flex}
     aside{width:196px;background:#fff;border-inline-end:1px solid #e4e7f0;padding:22px 16px;display:flex;flex-direction:column;gap:6px}
     aside b{font-size:13px;color:#8a91a8;margin:14px 8px 4px;font-weight:400}
     aside span{padding:9px 8px;border-radius:8px;display:flex;gap:9px;align-items:center;white-space:nowrap;font-size:14px}
     aside span.on{background:${colour}1c;color:${colour};font-weight:700}
     aside u{width:10px;height:10px;border-radius:3px;background:#cfd4e2}
     .mark{display:flex;gap:10px;align-items:center;font-weight:700;padding:0 6px;font-size:16px}
     .mark i{width:24px;height:24px;border-radius:7px;background:#2b3148}
     main{flex:1;display:flex;flex-direction:column}
     header{height:66px;background:#fff;border-bottom:1px solid #e4e7f0;display:flex;align-items:center;gap:14px;padding:0 30px;font-weight:700;font-size:17px}
     header em{width:36px;height:36px;border-radius:9px;background:${colour};display:grid;place-items:center}
     header small{margin-inline-start:auto;display:flex}
     header small i{width:32px;height:32px;border-radius:50%;border:2px solid #fff;margin-inline-start:-8px}
     section{flex:1;padding:26px 30px;display:flex;flex-direction:column;gap:20px;min-height:0}
     h2{font-size:23px;letter-spacing:-.02em}
     .card{background:#fff;border:1px solid #e4e7f0;border-radius:12px}
     .soft{color:#737b94} .acc{color:${colour}} .bg{background:${colour};color:#fff} .tint{background:${colour}1c;color:${colour}}
     .pill{display:inline-block;padding:4px 11px;border-radius:99px;font-size:13px}
     .row{display:flex;align-items:center;gap:16px} .grow{flex:1;min-width:0}
     ${panels[kind].css(look)}`,
    `<aside><div class="mark"><i></i>${isRtl ? 'المهام' : 'Tasks'}</div><b>${isRtl ? 'اللوحات' : 'Boards'}</b>
     ${names.map((board, index) => `<span><u style="background:${['#7aa2f7', '#f0a868', '#6cc4a1', '#c792ea'][index]}"></u>${board}</span>`).join('')}
     <b>${isRtl ? 'التطبيقات' : 'Apps'}</b><span class="on">${icon(look.icon, 18, colour, 2.2)}${escaped(name.length > 15 ? `${name.slice(0, 13)}…` : name)}</span></aside>
     <main><header><em>${icon(look.icon, 22, '#fff', 2.2)}</em>${escaped(name)}<small>${['#8fb8de', '#e5b181', '#9ccfa8'].map((face) => `<i style="background:${face}"></i>`).join('')}</small></header>
     <section><h2>${escaped(title)}</h2>${panels[kind].html(data, look, { icon, escaped })}</section></main>`,
    isRtl,
  );
};
