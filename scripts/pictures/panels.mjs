const kpis = (list, { escaped }) =>
  `<div class="row">${list.map(([label, value]) => `<div class="card kpi grow"><div class="soft">${escaped(label)}</div><strong>${escaped(value)}</strong></div>`).join('')}</div>`;
const kpiCss =
  '.kpi{padding:16px 20px}.kpi strong{font-size:27px;letter-spacing:-.02em;display:block;margin-top:6px}';
const pill = (text, { escaped }, strong) =>
  text ? `<span class="pill ${strong ? 'bg' : 'tint'}">${escaped(text)}</span>` : '';
const avatars = ['#8fb8de', '#e5b181', '#9ccfa8', '#cda6dd', '#e79aa0', '#93a4c9'];

/** The kinds of screens. Each has a style sheet and turns its data into HTML. */
export const panels = {
  list: {
    css: () =>
      '.li{padding:25px 26px;font-size:18px;border-bottom:1px solid #eceef5}.li:last-child{border:0}.li u{width:24px;height:24px;border-radius:6px;border:2px solid #cfd4e2}.li u.on{border:0}',
    html: (rows, _look, tools) =>
      `<div class="card">${rows.map(([title, meta, mark], index) => `<div class="row li"><u class="${index === 0 ? 'on bg' : ''}"></u><div class="grow">${tools.escaped(title)}</div><div class="soft">${tools.escaped(meta)}</div>${pill(mark, tools, index === 0)}</div>`).join('')}</div>`,
  },
  board: {
    css: ({ colour, second }) =>
      `.cols{display:flex;gap:18px;flex:1}.col{flex:1;background:#eceef5;border-radius:12px;padding:16px 14px;display:flex;flex-direction:column;gap:12px}.col b{padding:0 4px}.col .card{padding:18px 18px;line-height:1.45;border-radius:10px;font-size:17px}.col .card i{display:block;width:44px;height:6px;border-radius:3px;margin-bottom:10px;background:${colour}}.col .card:nth-child(odd) i{background:${second}}.col .card:nth-child(4n) i{background:#cfd4e2}`,
    html: (columns, _look, { escaped }) =>
      `<div class="cols">${columns.map(([title, ...cards]) => `<div class="col"><b>${escaped(title)}</b>${cards.map((card) => `<div class="card"><i></i>${escaped(card)}</div>`).join('')}</div>`).join('')}</div>`,
  },
  bars: {
    css: ({ colour, second }) =>
      `${kpiCss}.bars{flex:1;padding:24px 28px 16px;display:flex;gap:22px;align-items:flex-end}.bar{flex:1;height:100%;display:flex;flex-direction:column;justify-content:flex-end;text-align:center;gap:10px}.bar i{background:${colour};border-radius:7px 7px 3px 3px;display:block}.bar:nth-child(even) i{background:${second}}`,
    html: ({ kpi, bars }, _look, tools) => {
      const most = Math.max(...bars.map(([, value]) => value));
      return `${kpis(kpi, tools)}<div class="card bars">${bars.map(([label, value]) => `<div class="bar"><span class="soft">${value}</span><i style="height:${Math.round((value / most) * 290)}px"></i>${tools.escaped(label)}</div>`).join('')}</div>`;
    },
  },
  lines: {
    css: () => `${kpiCss}.plot{flex:1;padding:26px}.plot svg{width:100%;height:100%}`,
    html: ({ kpi, series }, { colour, second }, tools) => {
      const [width, height] = [960, 300];
      const most = Math.max(...series.flat());
      const path = (values) =>
        values
          .map(
            (value, index) =>
              `${index ? 'L' : 'M'}${Math.round((index / (series[0].length - 1)) * width)} ${Math.round(height - (value / most) * (height - 12))}`,
          )
          .join('');
      const grid = [0, 75, 150, 225, 300]
        .map((y) => `<path d="M0 ${y}H${width}" stroke="#eceef5" stroke-width="2"/>`)
        .join('');
      const strokes = [
        [colour, 5, ''],
        [second, 4, ''],
        ['#aab1c6', 3, '9 9'],
      ];
      return `${kpis(kpi, tools)}<div class="card plot"><svg viewBox="-4 -4 ${width + 8} ${height + 10}" preserveAspectRatio="none" fill="none" stroke-linecap="round" stroke-linejoin="round">${grid}${series.map((values, index) => `<path d="${path(values)}" stroke="${strokes[index][0]}" stroke-width="${strokes[index][1]}" stroke-dasharray="${strokes[index][2]}"/>`).join('')}</svg></div>`;
    },
  },
  table: {
    css: () =>
      'table{width:100%;border-collapse:collapse;font-size:18px}th{text-align:start;font-weight:400;color:#737b94;font-size:16px;padding:20px 26px;border-bottom:1px solid #e4e7f0}td{padding:26px 26px;border-bottom:1px solid #eceef5}tr:last-child td{border:0}',
    html: ({ head, rows }, _look, tools) =>
      `<div class="card"><table><tr>${head.map((cell) => `<th>${tools.escaped(cell)}</th>`).join('')}</tr>${rows.map((row, line) => `<tr>${row.map((cell, index) => `<td>${index === row.length - 1 ? pill(cell, tools, line === 0) : index === 0 ? `<b>${tools.escaped(cell)}</b>` : tools.escaped(cell)}</td>`).join('')}</tr>`).join('')}</table></div>`,
  },
  week: {
    css: ({ colour, second }) =>
      `.week{flex:1;display:grid;grid-template-columns:repeat(5,1fr);overflow:hidden}.day{border-inline-start:1px solid #eceef5;position:relative;padding:14px 0 0 0;text-align:center}.day:first-child{border:0}.ev{position:absolute;inset-inline:8px;border-radius:9px;padding:10px 12px;text-align:start;font-size:14px;line-height:1.35;background:${colour};color:#fff}.ev.two{background:${second}}`,
    html: ({ days, events }, _look, { escaped }) =>
      `<div class="card week">${days
        .map(
          (day, at) =>
            `<div class="day"><b class="soft">${escaped(day)}</b>${events
              .filter(([on]) => on === at)
              .map(
                ([, start, hours, title], index) =>
                  `<div class="ev ${(at + index) % 2 ? 'two' : ''}" style="top:${48 + start * 52}px;height:${hours * 52 - 8}px">${escaped(title)}</div>`,
              )
              .join('')}</div>`,
        )
        .join('')}</div>`,
  },
  chat: {
    css: () =>
      '.chat{flex:1;font-size:18px;padding:30px 34px;display:flex;flex-direction:column;gap:26px}.msg{display:flex;gap:14px;max-width:78%}.msg i{width:38px;height:38px;border-radius:50%;flex:none}.msg div{background:#f1f3f9;border-radius:14px;padding:13px 18px;line-height:1.5}.msg b{display:block;font-size:14px;margin-bottom:3px}.msg.me{align-self:flex-end;flex-direction:row-reverse}',
    html: (messages, _look, { escaped }) =>
      `<div class="card chat">${messages.map(([who, text, isOwn], index) => `<div class="msg ${isOwn ? 'me' : ''}"><i style="background:${avatars[index % avatars.length]}"></i><div class="${isOwn ? 'tint' : ''}"><b>${escaped(who)}</b>${escaped(text)}</div></div>`).join('')}</div>`,
  },
  form: {
    css: ({ colour }) =>
      `.form{padding:8px 26px}.f{padding:22px 0;font-size:18px;border-bottom:1px solid #eceef5}.f:last-child{border:0}.box{border:1px solid #d5d9e6;border-radius:9px;padding:11px 16px;min-width:320px}.tg{width:52px;height:30px;border-radius:99px;background:#cfd4e2;position:relative}.tg:after{content:'';position:absolute;top:4px;inset-inline-start:4px;width:22px;height:22px;border-radius:50%;background:#fff}.tg.on{background:${colour}}.tg.on:after{inset-inline-start:26px}.btn{align-self:flex-start;padding:13px 26px;border-radius:10px;font-weight:700}`,
    html: ({ fields, button }, _look, { escaped }) =>
      `<div class="card form">${fields.map(([label, value]) => `<div class="row f"><div class="grow">${escaped(label)}</div>${typeof value === 'boolean' ? `<div class="tg ${value ? 'on' : ''}"></div>` : `<div class="box">${escaped(value)}</div>`}</div>`).join('')}</div><div class="btn bg">${escaped(button)}</div>`,
  },
  doc: {
    css: ({ colour }) =>
      `.doc{display:flex;gap:20px;flex:1}.text{flex:1;padding:36px 42px;line-height:1.75;font-size:21px}.text p{margin-bottom:24px}.text mark{background:${colour}24;color:inherit;padding:1px 5px;border-radius:4px}.side{width:320px;padding:28px 24px;display:flex;flex-direction:column;gap:28px;font-size:17px}.side div{border-inline-start:4px solid ${colour};padding:2px 14px;line-height:1.45}.side small{display:block;font-size:15px;margin-top:4px}`,
    html: ({ text, side }, _look, { escaped }) =>
      `<div class="doc"><div class="card text">${text.map((line) => `<p>${escaped(line).replace(/\*(.+?)\*/g, '<mark>$1</mark>')}</p>`).join('')}</div><div class="card side">${side.map(([title, meta]) => `<div>${escaped(title)}<small class="soft">${escaped(meta)}</small></div>`).join('')}</div></div>`,
  },
  console: {
    css: () =>
      ".cs{display:flex;gap:18px;flex:1}.cs pre{flex:1;background:#1d2233;color:#dfe4f5;border-radius:12px;padding:30px 34px;font:19px/1.85 'DejaVu Sans Mono',monospace;white-space:pre-wrap}.cs em{font-style:normal;color:#8bd5a8}.cs s{text-decoration:none;color:#8a94b8}.cs b{font-weight:400;color:#f2b37a}",
    html: (sides, _look, { escaped }) =>
      `<div class="cs">${sides
        .map(
          (lines) =>
            `<pre dir="ltr">${lines
              .map((line) =>
                escaped(line)
                  .replace(/^(\+.*)$/, '<em>$1</em>')
                  .replace(/^(#.*)$/, '<s>$1</s>')
                  .replace(/("[^"]*")/g, '<b>$1</b>'),
              )
              .join('\n')}</pre>`,
        )
        .join('')}</div>`,
  },
  hero: {
    css: () =>
      '.hero{flex:1;display:flex;flex-direction:column;align-items:center;justify-content:center;gap:22px;text-align:center}.hero strong{font-size:64px;letter-spacing:-.03em}.hero p{font-size:20px;max-width:620px;line-height:1.5}.hero .btn{padding:15px 34px;border-radius:12px;font-weight:700;font-size:17px}',
    html: ({ big, small, button }, { colour, icon: name }, { escaped, icon }) =>
      `<div class="card hero">${icon(name, 84, colour, 1.6)}<strong>${escaped(big)}</strong><p class="soft">${escaped(small)}</p>${button ? `<div class="btn bg">${escaped(button)}</div>` : ''}</div>`,
  },
  heat: {
    css: () =>
      '.heat{flex:1;padding:22px 28px;display:flex;flex-direction:column;gap:12px}.heat .row{gap:10px}.heat b{width:130px;font-weight:400}.heat i{flex:1;height:72px;border-radius:9px}.heat em{flex:1;text-align:center;font-style:normal;font-size:14px}',
    html: ({ columns, rows }, { colour }, { escaped }) =>
      `<div class="card heat"><div class="row soft"><b></b>${columns.map((column) => `<em>${escaped(column)}</em>`).join('')}</div>${rows.map(([name, ...levels]) => `<div class="row"><b>${escaped(name)}</b>${levels.map((level) => `<i style="background:${level > 4 ? '#e0606b' : `color-mix(in srgb, ${colour} ${8 + level * 18}%, #fff)`}"></i>`).join('')}</div>`).join('')}</div>`,
  },
  dots: {
    css: () => `${kpiCss}.plot{flex:1;padding:26px}.plot svg{width:100%;height:100%}`,
    html: ({ kpi, line }, { colour, second }, tools) => {
      const points = Array.from({ length: 70 }, (_, index) => [
        Math.round(((index * 0.618034) % 1) * 940) + 10,
        Math.round(364 - ((index * 0.754877) % 1) ** 2.4 * 340),
      ]);
      return `${kpis(kpi, tools)}<div class="card plot"><svg viewBox="0 0 960 380" preserveAspectRatio="none">${points.map(([x, y], index) => `<circle cx="${x}" cy="${y}" r="7" fill="${index % 3 ? colour : second}" fill-opacity=".8"/>`).join('')}<path d="M0 ${380 - line}H960" stroke="#1d2233" stroke-width="3" stroke-dasharray="9 9"/></svg></div>`;
    },
  },
  split: {
    css: () =>
      '.sp{display:flex;gap:20px;flex:1}.sp .card{flex:1;padding:38px 42px;line-height:1.7;font-size:21px}.sp h3{font-size:26px;line-height:1.35;margin-bottom:22px}.sp p{margin-bottom:20px}',
    html: (sides, _look, tools) =>
      `<div class="sp">${sides.map(([mark, title, ...lines], index) => `<div class="card" dir="auto">${pill(mark, tools, index > 0)}<h3 style="margin-top:16px">${tools.escaped(title)}</h3>${lines.map((line) => `<p>${tools.escaped(line)}</p>`).join('')}</div>`).join('')}</div>`,
  },
  tiles: {
    css: () =>
      '.tiles{display:grid;grid-template-columns:repeat(3,1fr);gap:20px;flex:1}.tile{padding:26px;display:flex;flex-direction:column;gap:12px;align-items:flex-start;justify-content:center}.tile em{width:60px;height:60px;border-radius:15px;display:grid;place-items:center}.tile b{font-size:17px}',
    html: (tiles, { colour, second }, { escaped, icon }) =>
      `<div class="tiles">${tiles.map(([name, title, meta], index) => `<div class="card tile"><em style="background:${index % 2 ? second : colour}">${icon(name, 32, '#fff', 2)}</em><b>${escaped(title)}</b><span class="soft">${escaped(meta)}</span></div>`).join('')}</div>`,
  },
  quiz: {
    css: ({ colour }) =>
      `.qz{flex:1;padding:34px 44px;display:flex;flex-direction:column;gap:18px;justify-content:center}.qz h3{font-size:27px;line-height:1.35;margin-bottom:12px;letter-spacing:-.02em}.op{border:2px solid #e4e7f0;border-radius:12px;padding:18px 24px;font-size:17px}.op.on{border-color:${colour};background:${colour}14}`,
    html: ({ question, options, chosen }, _look, { escaped }) =>
      `<div class="card qz"><h3>${escaped(question)}</h3>${options.map((option, index) => `<div class="op ${index === chosen ? 'on' : ''}">${escaped(option)}</div>`).join('')}</div>`,
  },
};
